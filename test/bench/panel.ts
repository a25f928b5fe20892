import { availableParallelism, loadavg } from 'node:os';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/chromium.ts';
import { type BenchTable, countBounds, defineBench, median, verdict } from './bench.ts';
import { type InteractiveOptions, type InteractivePage, measureInteractive } from './panel/interactive.ts';
import { dataPages } from './panel/pages.ts';
import { measurePaint } from './panel/paint.ts';

const bounds = { interactiveMs: 2_500, paintMs: 100 };

interface Size extends InteractiveOptions {
  readonly workspaces: readonly Parameters<typeof dataPages>[0][];
}

export const panel = defineBench<Size>({
  name: 'panel',
  describe: 'the panel in a browser: when it can be used, and how soon data is on the screen',
  sizes: {
    full: { runs: 5, quietMs: 5_000, workspaces: ['usual', 'largest'] },
    smallest: { runs: 1, quietMs: 100, workspaces: ['usual'] },
  },
  async measure({ workspaces, ...options }, { progress, withCloud }) {
    const browser = await openBrowser();
    if (browser === undefined) {
      progress('there is no Chromium here: install one, or name one with CHROMIUM_PATH');
      return [];
    }
    try {
      progress('loading pages with the processor four times slower');
      const pages = await withCloud({}, (cloud) => measureInteractive(browser, cloud, options));
      progress('loading pages with data');
      return [interactiveTable(pages, options), await paintTable(browser, workspaces, options.runs)];
    } finally {
      await browser.close();
    }
  },
});

const extremes = (values: readonly number[]): string[] =>
  [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(0));

/** Describes the machine's load, to judge the figures by: other programs slow down browsers more than anything here. */
function machineLoad(): string {
  const [lastMinute = 0] = loadavg();
  return `Processors: ${availableParallelism()}; runnable on average in the last minute, the bench included: ${lastMinute.toFixed(1)}.`;
}

function interactiveTable(
  pages: readonly InteractivePage[],
  { runs: count, quietMs }: InteractiveOptions,
): BenchTable {
  const verdicts: boolean[] = [];
  const rows = pages.map(({ name, runs }) => {
    const interactiveMs = median(runs.map((run) => run.interactiveMs));
    const isMet = interactiveMs <= bounds.interactiveMs;
    verdicts.push(isMet);
    return [
      name,
      ...(['shownMs', 'answeredMs', 'busyUntilMs'] as const).map((figure) =>
        median(runs.map((run) => run[figure])).toFixed(0),
      ),
      interactiveMs.toFixed(0),
      ...extremes(runs.map((run) => run.interactiveMs)),
      String(bounds.interactiveMs),
      verdict(isMet),
    ];
  });
  return {
    title: `Panel: when a page can be used with a processor four times slower, median of ${count}, in ms since the navigation`,
    columns: [
      'page',
      'content',
      'key answered',
      'last long task',
      'interactive',
      'least',
      'most',
      'bound',
      'met',
    ],
    rows,
    notes: [
      'Of the service on a local cloud whose functions have started; browser and service share this machine, and the network is',
      'not slowed down. Each load is by a new browser profile, with an empty cache. "Content": the frame with what the service has',
      'said is painted. "Key answered": the frame that answers Tab, pressed once the content is there. "Last long task": the end of',
      `the last task of more than 50 ms before ${quietMs / 1_000} s without any; 0 if there is none. "Interactive": the latest of the three.`,
      machineLoad(),
    ],
    bounds: countBounds(verdicts),
  };
}

async function paintTable(
  browser: Browser,
  workspaces: Size['workspaces'],
  runs: number,
): Promise<BenchTable> {
  const verdicts: boolean[] = [];
  const rows: string[][] = [];
  for (const workspace of workspaces) {
    for (const page of dataPages(workspace)) {
      const measured = await measurePaint(browser, page, runs);
      const isMet = median(measured) <= bounds.paintMs;
      verdicts.push(isMet);
      rows.push([
        page.name,
        String(page.accountCount),
        median(measured).toFixed(0),
        ...extremes(measured),
        String(bounds.paintMs),
        verdict(isMet),
      ]);
    }
  }
  return {
    title: `Panel: from the last byte of a page’s data to the frame that shows it, median of ${runs}, in ms`,
    columns: ['page', 'accounts', 'ms', 'least', 'most', 'bound', 'met'],
    rows,
    notes: [
      'The deployed site under its policy, with a stand-in for the API; the processor is not slowed down. Each load is by a new',
      'browser profile: all scripts run for the first time. A frame takes 16.7 ms, and is waited for.',
      machineLoad(),
    ],
    bounds: countBounds(verdicts),
  };
}
