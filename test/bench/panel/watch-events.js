/** Runs in a page before its own scripts, and notes the time in milliseconds from each press of 16 ms or more to the next paint. */
// biome-ignore lint/correctness/noUnusedVariables: whoever adds this script to a page appends the call
function watchEvents() {
  globalThis.eventsMs = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.eventsMs.push(duration);
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 });
}
