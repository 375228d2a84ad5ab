// Switches the theme in place; the cookie that the server reads next time is set by the same form.
function show(choice: string, form: HTMLFormElement): void {
  document.documentElement.dataset["theme"] = choice;
  for (const button of form.querySelectorAll<HTMLButtonElement>("button")) {
    button.setAttribute("aria-pressed", String(button.value === choice));
  }
}

export function switchTheme(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-theme-form]");
  form?.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (!(button instanceof HTMLButtonElement)) return;
    event.preventDefault();
    const answer = new FormData(form, button);
    show(button.value, form);
    void fetch(form.action, { method: "POST", body: answer, headers: { "HX-Request": "true" } });
  });
}
