/** A small, plausible bug, and the test that must catch it. */
export interface PlantedBug {
  /** What goes wrong. */
  name: string
  file: string
  /** Occurs exactly once in the file. */
  find: string
  replace: string
  /** The test file, and a part of the title of the test in it. */
  test: string
  title: string
}
