// @ts-check
// A calendar beside a field of text for a date: the browser's own, which keys can use.

import { h } from "./ui.js";
import { pickedDate, pickerDate } from "./state/text.js";

/**
 * @param {HTMLInputElement | HTMLTextAreaElement} control the field of text, in UTC
 * @param {string} label
 */
export function datePicker(control, label) {
  /** @type {HTMLInputElement} */
  const picker = h("input.date-picker", {
    type: "datetime-local", step: "1", "aria-label": `Pick ${label}`, title: "Pick a date and time, in UTC",
    onfocus: () => { picker.value = pickerDate(control.value); },
    // The parts of the date, which keys would go through, aren't shown.
    onkeydown: (event) => {
      if (!["Enter", " ", "ArrowDown"].includes(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      picker.showPicker();
    },
    onchange: () => {
      if (!picker.value) return;
      control.value = pickedDate(picker.value);
      control.dispatchEvent(new Event("input"));
      control.dispatchEvent(new Event("change"));
    },
  });
  return picker;
}
