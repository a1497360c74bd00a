// How sure one is of an answer: in the question itself, so that it is said before the answer.

/** The two buttons of how sure one is: 2 is sure, 1 is not sure; neither need be pressed. */
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
