// A form of drop-downs goes as soon as one changes; its button is for those without script.
export function submitOnChange(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-submits]")) {
    form.querySelector("button[type=submit]")?.setAttribute("hidden", "");
    form.addEventListener("change", () => form.requestSubmit());
  }
}
