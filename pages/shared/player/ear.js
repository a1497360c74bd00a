// Hears where a player rests, for what Python draws for its step: that part of the page alone is run
// again, and neither the player nor what stands beside it. Draws nothing.

window.ears ??= new Map(); // what hears each player, by its key

export default function ({ data, setStateValue }) {
  const hear = (step) => setStateValue("step", step);
  window.ears.set(data.player, hear);
  return () => window.ears.get(data.player) === hear && window.ears.delete(data.player);
}
