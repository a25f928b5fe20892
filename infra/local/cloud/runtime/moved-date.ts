/**
 * Makes `Date` follow a clock that is ahead of real time. The class itself stays what it was, so `instanceof`,
 * dates from given values and everything inherited are untouched; only "now" moves.
 *
 * @param realm whose `Date` is replaced: `globalThis` in an execution environment.
 * @returns sets the offset in milliseconds, from then on.
 */
export function installMovedDate(
  realm: { Date: DateConstructor },
  initialOffsetMs: number,
): (offsetMs: number) => void {
  const RealDate = realm.Date;
  const realNow = RealDate.now;
  let offsetMs = initialOffsetMs;
  const now = () => realNow() + offsetMs;

  const MovedDate: DateConstructor = new Proxy(RealDate, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
    // Called as a function, `Date` tells the time as text, whatever it is given.
    apply: (target) => new target(now()).toString(),
    get: (target, property, receiver) => (property === 'now' ? now : Reflect.get(target, property, receiver)),
  });
  RealDate.prototype.constructor = MovedDate;
  realm.Date = MovedDate;
  return (nextOffsetMs) => {
    offsetMs = nextOffsetMs;
  };
}
