// Entry point, called by Streamlit with a message; the last file of the player's script.

/** @param {{ data: Bytes, parentElement: ShadowRoot, setStateValue: SetState }} given */
export default function ({ data, parentElement, setStateValue }) {
  if (!players.has(parentElement)) {
    players.set(parentElement, new Player(parentElement));
    listenForSwipes(players.get(parentElement));
  }
  listenForOthers();
  document.removeEventListener("keydown", press);
  document.addEventListener("keydown", press);
  players.get(parentElement).receive(unpack(data), setStateValue);
}
