/** Makes the pictures of the panel in the documents, from a local run with a scene of its own: `npm run screenshots`. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../bin/chromium.ts';
import { synthesize } from '../../bin/dev/synthesis.ts';
import { startTestCloud, type TestCloud } from '../support/local-cloud.ts';
import { draw, pictureNames } from './pictures.ts';
import { loseAccess, type Scene, setScene } from './scene.ts';
import { type Shot, shots } from './shots.ts';

const root = join(import.meta.dirname, '../..');

const help = `Make the pictures of the panel in docs/images: npm run screenshots

It starts a local cloud, fills a workspace with posts, comments and clicks, and photographs the pages. About two minutes.

Options (npm run screenshots -- --only calendar)
  --only <name>   only this picture: ${shots.map(({ name }) => name).join(', ')}
  --help          show this text
`;

/** Run in the page: loads and decodes all pictures in sight. */
const picturesAreShown = `Promise.all([...document.images]
  .filter((each) => each.checkVisibility() && each.getBoundingClientRect().top < innerHeight)
  .map((each) => each.decode()))`;

const progress = (line: string) => void process.stderr.write(`screenshots: ${line}\n`);

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: 'string' }, help: { type: 'boolean' } } });
  if (values.help) return void console.log(help);
  const wanted = shots.filter(({ name }) => values.only === undefined || name === values.only);
  if (wanted.length === 0) throw new Error(`no picture is called ${values.only}\n\n${help}`);
  const browser = await openBrowser();
  if (browser === undefined)
    throw new Error('there is no Chromium here: install one, or name one with CHROMIUM_PATH');
  try {
    await photograph(browser, wanted);
  } finally {
    await browser.close();
  }
}

async function photograph(browser: Browser, wanted: readonly Shot[]): Promise<void> {
  const assemblyDirectory = join(root, '.build/screenshots-assembly');
  progress('synthesizing the stacks');
  await synthesize(root, assemblyDirectory);
  const cloud = await startTestCloud({ assemblyDirectory });
  try {
    const painter = await browser.newPage();
    const pictures = new Map<(typeof pictureNames)[number], Buffer>();
    for (const name of pictureNames) pictures.set(name, await draw(painter, name));
    const scene = await setScene(cloud, pictures, progress);
    const directory = join(root, 'docs/images');
    mkdirSync(directory, { recursive: true });
    for (const shot of wanted) {
      if (shot.isInTrouble) await loseAccess(cloud);
      progress(shot.name);
      await take(browser, cloud, scene, shot, join(directory, `${shot.name}.png`));
    }
  } finally {
    await cloud.stop();
  }
}

async function take(
  browser: Browser,
  cloud: TestCloud,
  scene: Scene,
  shot: Shot,
  path: string,
): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: shot.width, height: shot.height },
    colorScheme: shot.scheme,
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Berlin',
  });
  const page = await context.newPage();
  // The scene has moved the cloud's clock forward by days.
  await page.clock.install({ time: cloud.clock.now() });
  await signIn(page, cloud);
  await page.goto(cloud.panelUrl + shot.path(scene));
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  const busy = page.locator('[aria-busy=true], [role=progressbar]');
  while ((await busy.count()) > 0) await busy.first().waitFor({ state: 'detached' });
  await page.evaluate(picturesAreShown);
  await page.screenshot({ path });
  await context.close();
}

async function signIn(page: Page, { panelUrl, demo }: TestCloud): Promise<void> {
  await page.goto(panelUrl);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Continue as Owner' }).click();
  await page.getByRole('navigation').getByRole('link', { name: 'Accounts' }).waitFor();
  await page.evaluate((id) => localStorage.setItem('workspace', id), demo.id);
}

await main();
