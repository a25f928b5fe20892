/**
 * Makes `Date` follow a clock that is ahead of real time. Only "now" changes: `instanceof`, dates from given values and inherited
 * members work as before.
 *
 * @param realm the object with the `Date` to replace: `globalThis` in an execution environment.
 * @returns a function that sets the offset in milliseconds.
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
    // Called as a function, `Date` ignores its arguments and returns the current time as text.
    apply: (target) => new target(now()).toString(),
    get: (target, property, receiver) => (property === 'now' ? now : Reflect.get(target, property, receiver)),
  });
  RealDate.prototype.constructor = MovedDate;
  realm.Date = MovedDate;
  return (nextOffsetMs) => {
    offsetMs = nextOffsetMs;
  };
}
