interface Window {
  /** In presenter view: where the boxes of a lesson may stand, by their names (staged.js). */
  presenterPlaces: Record<string, Element> | null;
}
