// Sets the theme before anything is painted. A classic script, so that it runs before the style sheet is applied.
(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const choice = () => {
    try {
      return localStorage.getItem("theme") ?? "system";
    } catch {
      return "system";
    }
  };
  const apply = () => show(choice() === "system" ? (dark.matches ? "dark" : "light") : choice());
  const show = (theme) => {
    document.documentElement.dataset.theme = theme;
    document.querySelector("meta[name=theme-color]")?.setAttribute("content", theme === "dark" ? "#0a0b0e" : "#f3f4f7");
    document.dispatchEvent(new Event("themechange"));
  };
  dark.addEventListener("change", apply);
  // Paper is light, whatever the screen is.
  addEventListener("beforeprint", () => show("light"));
  addEventListener("afterprint", apply);
  globalThis.theme = {
    choice,
    choose(value) {
      localStorage.setItem("theme", value);
      apply();
    },
  };
  apply();
  // The place of what says so is kept from the beginning.
  if (sessionStorage.getItem("demo")) document.documentElement.dataset.demo = "";
})();
