// Combine's interface as OpenCombine has it, so that one import takes the place of Combine's.

#if Combine
    @_exported public import OpenCombine
    @_exported public import OpenCombineDispatch
    @_exported public import OpenCombineFoundation
#endif
