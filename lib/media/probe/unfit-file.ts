/** Thrown if a file cannot be used. Its message tells the user why. */
export class UnfitFileError extends Error {
  override readonly name = 'UnfitFileError';
}
