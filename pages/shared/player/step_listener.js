// Passes a player's step to the fragment that draws content for it, so that only this fragment reruns,
// not the player. Draws nothing.

window.stepListeners ??= new Map(); // by the player's key

/** @param {{ data: { player: string }, setStateValue: (name: string, value: unknown) => void }} given */
export default function ({ data, setStateValue }) {
  const listener = (/** @type {number[]} */ step) => setStateValue("step", step);
  window.stepListeners.set(data.player, listener);
  return () => window.stepListeners.get(data.player) === listener && window.stepListeners.delete(data.player);
}
