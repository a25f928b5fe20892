/**
 * Runs in a page before its own scripts, and notes when the page shows something and when its main thread is busy. Times are
 * milliseconds since the navigation began.
 */
// biome-ignore lint/correctness/noUnusedVariables: whoever adds this script to a page appends the call
function watchPage(selector) {
  const longTaskMs = 50;
  let lastBusyMs = 0;
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      if (duration > longTaskMs) lastBusyMs = Math.max(lastBusyMs, startTime + duration);
  }).observe({ type: 'longtask', buffered: true });

  const answered = new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const [{ startTime, duration }] = list.getEntries();
      resolve(startTime + duration);
    }).observe({ type: 'first-input', buffered: true });
  });

  /** The end of the frame that paints what the document has now. */
  const painted = () =>
    new Promise((resolve) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now());
        port2.postMessage(undefined);
      });
    });

  const shown = new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (document.querySelector(selector) === null) return;
      observer.disconnect();
      painted().then(resolve);
    });
    observer.observe(document, { childList: true, subtree: true });
  });

  globalThis.watchedPage = {
    /** The time at which the selector matched and was painted. */
    shown,
    /** The time at which a frame answered the first key press. */
    answered,
    /** Waits until no task has taken more than 50 ms for some time. When the last one ended; 0 if there was none. */
    async quiet(forMs) {
      const from = await shown;
      for (;;) {
        const leftMs = Math.max(from, lastBusyMs) + forMs - performance.now();
        if (leftMs <= 0) return lastBusyMs;
        await new Promise((resolve) => setTimeout(resolve, leftMs));
      }
    },
    /** Returns the time of the last byte of the newest response from this path, up to a time. */
    lastByte(path, untilMs) {
      const ends = performance
        .getEntriesByType('resource')
        .filter(({ name, responseEnd }) => new URL(name).pathname === path && responseEnd <= untilMs)
        .map(({ responseEnd }) => responseEnd);
      if (ends.length === 0) throw new Error(`${path} was not asked before the page showed its data`);
      return Math.max(...ends);
    },
  };
}
