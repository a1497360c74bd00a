// The optional choice of how sure the learner is of an answer.

/** Two toggle buttons: 2 is sure, 1 is not sure; neither is required. */
function surenessNode() {
  const buttons = [["2", "sure", "sure"], ["1", "unsure", "not sure"]].map(([sureness, kind, name]) => {
    const button = make("button", kind, name);
    button.type = "button";
    button.value = sureness;
    button.setAttribute("aria-pressed", false);
    button.onclick = () => {
      const isOn = button.getAttribute("aria-pressed") !== "true";
      for (const one of buttons) one.setAttribute("aria-pressed", isOn && one === button);
    };
    return button;
  });
  const group = make("div", "sureness", make("span", "", "How sure are you?"), ...buttons);
  group.role = "group";
  group.ariaLabel = "How sure are you?";
  return group;
}
