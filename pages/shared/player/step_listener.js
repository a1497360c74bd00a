// Hears where a player rests, for what Python draws for its step: that part of the page alone is run
// again, and neither the player nor what stands beside it. Draws nothing.

window.stepListeners ??= new Map(); // what hears each player, by its key

/** @param {{ data: { player: string }, setStateValue: (name: string, value: unknown) => void }} given */
export default function ({ data, setStateValue }) {
  const hear = (/** @type {number[]} */ step) => setStateValue("step", step);
  window.stepListeners.set(data.player, hear);
  return () => window.stepListeners.get(data.player) === hear && window.stepListeners.delete(data.player);
}
