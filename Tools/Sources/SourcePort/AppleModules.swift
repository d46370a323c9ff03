// The modules of Apple's software development kits that no other system has.

enum AppleModules {
    /// Frameworks and modules by name, as an `import` has them.
    static let names = Set(
        """
        ARKit AVFAudio AVFoundation AVKit AVRouting Accelerate Accessibility AccessoryNotifications AccessorySetupKit Accounts
        ActivityKit AdAttributionKit AdServices AdSupport AddressBook AddressBookUI AlarmKit AppClip AppIntents AppKit
        AppTrackingTransparency AppleArchive ApplicationServices AssetsLibrary AudioToolbox AudioUnit AuthenticationServices
        AutomatedDeviceEnrollment AutomaticAssessmentConfiguration Automator BackgroundAssets BackgroundTasks
        BrowserEngineKit BusinessChat CFNetwork CallKit CarPlay Carbon Charts Cinematic ClassKit ClockKit CloudKit Cocoa
        CollaborationKit ColorSync Combine CommonCrypto CompositorServices Contacts ContactsUI CoreAudio CoreAudioKit
        CoreAudioTypes CoreBluetooth CoreGraphics CoreHaptics CoreImage CoreLocation CoreLocationUI CoreMIDI
        CoreML CoreMedia CoreMotion CoreNFC CoreServices CoreSpotlight CoreTelephony CoreText CoreTransferable CoreVideo
        CoreWLAN CreateML CreateMLComponents CryptoTokenKit Darwin DataDetection DeveloperToolsSupport DeviceActivity
        DeviceCheck DeviceDiscoveryUI DiskArbitration EnergyKit EventKit EventKitUI ExceptionHandling
        ExposureNotification ExtensionFoundation ExtensionKit ExternalAccessory FamilyControls FileProvider FileProviderUI
        FinanceKit FinanceKitUI FinderSync ForceFeedback FoundationModels GLKit GSS GameController GameKit GameplayKit
        GroupActivities HealthKit HealthKitUI HomeKit Hypervisor IOBluetooth IOKit IOSurface IdentityLookup IdentityLookupUI
        ImageCaptureCore ImageIO ImagePlayground InputMethodKit Intents IntentsUI JavaScriptCore JournalingSuggestions
        LatentSemanticMapping LinkPresentation LocalAuthentication LocalAuthenticationEmbeddedUI LockedCameraCapture
        MLCompute MachO ManagedApp ManagedAppDistribution ManagedSettings ManagedSettingsUI MapKit Matter MatterSupport
        MediaAccessibility MediaPlayer MediaToolbox MessageUI Messages Metal MetalFX MetalKit
        MetalPerformanceShaders MetalPerformanceShadersGraph MetricKit MobileCoreServices ModelIO MultipeerConnectivity
        MusicKit NaturalLanguage NearbyInteraction Network NetworkExtension NewsstandKit NotificationCenter OSLog ObjectiveC
        OpenAL OpenDirectory OpenGL OpenGLES PDFKit PHASE PassKit PencilKit Photos PhotosUI PreferencePanes
        ProximityReader PushKit PushToTalk Quartz QuartzCore QuickLook QuickLookThumbnailing QuickLookUI RealityFoundation
        RealityKit RelevanceKit ReplayKit RoomPlan SafariServices SafetyKit SceneKit ScreenCaptureKit ScreenSaver ScreenTime
        ScriptingBridge Security SecurityFoundation SecurityInterface SensitiveContentAnalysis SensorKit ServiceManagement
        SharedWithYou SharedWithYouCore ShazamKit SiriKit Social SoundAnalysis Speech SpriteKit StickerKit StoreKit
        SwiftData SwiftUI Symbols SyncServices SystemConfiguration SystemExtensions TVML TVMLKit TVServices TVUIKit
        TabletopKit TabularData ThreadNetwork TipKit Translation TranslationUIProvider Twitter UIKit
        UniformTypeIdentifiers UserNotifications UserNotificationsUI VideoSubscriberAccount VideoToolbox Virtualization Vision
        VisionKit WalletOrders WatchConnectivity WatchKit WeatherKit WebKit WidgetKit WorkoutKit iAd iTunesLibrary
        libkern os simd vmnet
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
