/**
 * The numbers beside bars: whole, evenly spaced, from 0 to at least the greatest value.
 *
 * @param greatest 0 or more
 * @param most how many there may be, at least 2
 */
export function ticksFor(greatest: number, most = 5): number[] {
  const least = Math.max(1, Math.ceil(greatest) / (most - 1));
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= least) ?? least;
  const whole = Math.ceil(step);
  const count = Math.max(1, Math.ceil(greatest / whole));
  return Array.from({ length: count + 1 }, (_, place) => place * whole);
}

/**
 * Returns the places of the bars with a name below: evenly spaced, always the last one.
 *
 * @param most how many there may be, at least 1
 */
export function namedPlaces(count: number, most: number): number[] {
  const step = Math.max(1, Math.ceil(count / most));
  const places: number[] = [];
  for (let place = count - 1; place >= 0; place -= step) places.unshift(place);
  return places;
}
