import { availableParallelism, loadavg } from 'node:os';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../bin/chromium.ts';
import { type BenchTable, countBounds, defineBench, median } from './bench.ts';
import { type MeasuredAction, measureActions } from './panel/actions.ts';
import { type InteractiveOptions, type InteractivePage, measureInteractive } from './panel/interactive.ts';
import { dataPages } from './panel/pages.ts';
import { measurePaint } from './panel/paint.ts';

/**
 * The times that the panel is meant for. They are no bounds: they depend on the machine, and are read next to those of an empty page.
 * Requests and bytes have bounds, in `test/panel/first-load.test.ts`.
 */
const aims = { interactiveMs: 2_500, paintMs: 100 };

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
      const paint = await paintTable(browser, workspaces, options.runs);
      progress('pressing keys and buttons with the processor four times slower');
      const actions = await measureActions(browser, options.runs);
      return [interactiveTable(pages, options), paint, actionTable(actions, options.runs)];
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
  const rows = pages.map(({ name, runs }) => {
    const interactiveMs = median(runs.map((run) => run.interactiveMs));
    return [
      name,
      ...(['shownMs', 'answeredMs', 'busyUntilMs'] as const).map((figure) =>
        median(runs.map((run) => run[figure])).toFixed(0),
      ),
      interactiveMs.toFixed(0),
      ...extremes(runs.map((run) => run.interactiveMs)),
      String(aims.interactiveMs),
    ];
  });
  return {
    title: `Panel: when a page can be used with a processor four times slower, median of ${count}, in ms since the navigation`,
    columns: ['page', 'content', 'key answered', 'last long task', 'interactive', 'least', 'most', 'aim'],
    rows,
    notes: [
      'The empty page has one button and no script. Greeting and accounts: of the service on a local cloud whose functions have started; browser and service share this machine, and the network is',
      'not slowed down. Each load is by a new browser profile, with an empty cache. "Content": the frame with what the service has',
      'said is painted. "Key answered": the frame that answers Tab, pressed once the content is there. "Last long task": the end of',
      `the last task of more than 50 ms before ${quietMs / 1_000} s without any; 0 if there is none. "Interactive": the latest of the three.`,
      machineLoad(),
    ],
    bounds: countBounds([]),
  };
}

function actionTable(actions: readonly MeasuredAction[], runs: number): BenchTable {
  return {
    title: `Panel: from a press to the next paint with a processor four times slower, median of ${runs}, in ms`,
    columns: ['page', 'action', 'ms', 'least', 'most', 'aim'],
    rows: actions.map(({ page, action, paintMs }) => [
      page,
      action,
      median(paintMs).toFixed(0),
      ...extremes(paintMs),
      String(aims.paintMs),
    ]),
    notes: [
      'As the browser’s Event Timing says, in steps of 8 ms: the longest event of the press. 0: less than 16. The calendar has two',
      'posts a day, the composer seven accounts; a stand-in answers for the API.',
      machineLoad(),
    ],
    bounds: countBounds([]),
  };
}

async function paintTable(
  browser: Browser,
  workspaces: Size['workspaces'],
  runs: number,
): Promise<BenchTable> {
  const rows: string[][] = [];
  for (const workspace of workspaces) {
    for (const page of dataPages(workspace)) {
      const measured = await measurePaint(browser, page, runs);
      rows.push([
        page.name,
        String(page.accountCount),
        median(measured).toFixed(0),
        ...extremes(measured),
        String(aims.paintMs),
      ]);
    }
  }
  return {
    title: `Panel: from the last byte of a page’s data to the frame that shows it, median of ${runs}, in ms`,
    columns: ['page', 'accounts', 'ms', 'least', 'most', 'aim'],
    rows,
    notes: [
      'The deployed site under its policy, with a stand-in for the API; the processor is not slowed down. Each load is by a new',
      'browser profile: all scripts run for the first time. A frame takes 16.7 ms, and is waited for.',
      machineLoad(),
    ],
    bounds: countBounds([]),
  };
}
