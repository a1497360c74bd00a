// The button of a lesson that opens a room, or shows how to join it: live_room.js has the room.

/** @param {{ parentElement: ShadowRoot }} given */
export default function ({ parentElement }) {
  /** @type {HTMLButtonElement} */
  const button = parentElement.querySelector(".to-room");
  button.onclick = () => window.dispatchEvent(new Event("showroom"));
}
