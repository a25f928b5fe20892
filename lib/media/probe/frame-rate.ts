/** Returns frames per second, rounded to hundredths; `undefined` if there are no frames, or they take no time. */
export function averageRate(frames: number, seconds: number): number | undefined {
  return frames > 0 && seconds > 0 ? Math.round((frames / seconds) * 100) / 100 : undefined;
}
