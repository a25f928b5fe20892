/** Thrown if a file cannot be rendered as its recipe says, however often it is tried. Its message tells the author why. */
export class UnrenderableError extends Error {
  override readonly name = 'UnrenderableError';
}
