/** Walks through what a platform's reviewer will do: `npm run verify -- review <platform>`. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { startLocalCloud } from '@herald/local-cloud/cloud.ts';
import { openDataDirectory } from '@herald/local-cloud/data-directory.ts';
import type { LocalCloud } from '@herald/local-cloud/types.ts';
import type { Browser } from 'playwright-core';
import * as z from 'zod';
import { systemClock } from '../../../lib/kernel/clock.ts';
import {
  type Feature,
  type PlatformFeatures,
  requestedFeatures,
  scopesToRequest,
} from '../../../lib/platforms/contract/features.ts';
import {
  type AccountKind,
  Platform,
  platformNames,
  platformTitles,
} from '../../../lib/platforms/contract/names.ts';
import { featuresFor, readStageFeatures } from '../../../lib/platforms/registry/features.ts';
import { openBrowser } from '../../chromium.ts';
import { openDemoWorkspaces } from '../../dev/demo-workspaces.ts';
import { startIssuer } from '../../dev/issuer.ts';
import { demoUsername, startPlatforms } from '../../dev/platforms.ts';
import { synthesize } from '../../dev/synthesis.ts';
import { environmentOverrides } from '../../dev.ts';
import { readStage } from '../../settings-file.ts';
import { checklist, type OwnPage, type ReviewFacts } from './checklist.ts';
import { checklistLines, reviewReport } from './report.ts';
import { stepsFor, type Visit } from './steps.ts';
import { walk } from './walk.ts';

const root = join(import.meta.dirname, '../../..');

export const reviewHelp = `npm run verify -- review <platform> [options]

Walks through what the platform's reviewer will do, with the features of your stage, and photographs each step: connect an
account, publish a post, show what each permission is for, disconnect. Then it says what is missing. It starts a local cloud
of its own with a simulated platform, and ends it: no platform is asked, and nothing is published.

Platforms: ${platformNames.join(', ')}

Options
  --stage <name>        the stage whose settings are looked at (production); no AWS credentials are needed
  --features <a,b>      features to walk with, in place of those of the settings
  --as organization     LinkedIn: as an organization, with its app
  --website <URL>       your website, which the form of the review asks for
  --privacy <URL>       your privacy policy
  --terms <URL>         your terms of service
  --folder <path>       the folder of the report and the pictures. Default: review-<platform>
  --help                show this text

The pages that you name are read once, as a reviewer without an account would see them.
Exit codes: 0 if nothing is missing, 1 if something is, 2 if the walk could not run or was stopped. It ends within 15 minutes.
`;

class UsageError extends Error {
  override readonly name = 'UsageError';
}

interface Request {
  readonly platform: Platform;
  readonly stage: string;
  readonly as: AccountKind | undefined;
  readonly features: PlatformFeatures;
  readonly chosen: readonly Feature[] | undefined;
  readonly settings: ReviewFacts['settings'];
  readonly pages: Readonly<Partial<Record<keyof ReviewFacts['pages'], string>>>;
  readonly folder: string;
}

/** Reads the command line and the settings of the stage. @throws UsageError, or Error as `readStage` */
function readRequest(words: readonly string[]): Request | 'help' {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      stage: { type: 'string', default: 'production' },
      features: { type: 'string' },
      as: { type: 'string' },
      website: { type: 'string' },
      privacy: { type: 'string' },
      terms: { type: 'string' },
      folder: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return 'help';
  const [name = '', ...others] = positionals;
  const platform = Platform.safeParse(name);
  if (!platform.success || others.length > 0)
    throw new UsageError(`Name one platform: ${platformNames.join(', ')}.`);
  if (values.as !== undefined && (platform.data !== 'linkedin' || !isKind(values.as)))
    throw new UsageError('--as is for linkedin: member or organization.');
  const as = platform.data !== 'linkedin' ? undefined : values.as === 'organization' ? values.as : 'member';
  const settings = readStage(values.stage);
  const named = values.features?.split(',').map((each) => each.trim());
  const chosen = readStageFeatures(
    named === undefined ? (settings.features ?? {}) : { [platform.data]: named },
  )[platform.data];
  const { website, privacy, terms } = values;
  return {
    platform: platform.data,
    stage: values.stage,
    as,
    features: featuresFor(platform.data, as),
    chosen,
    settings,
    pages: { ...(website && { website }), ...(privacy && { privacy }), ...(terms && { terms }) },
    folder: values.folder ?? `review-${platform.data}`,
  };
}

const isKind = (text: string): text is AccountKind => text === 'member' || text === 'organization';

/** @returns the exit code */
export async function review(words: readonly string[]): Promise<number> {
  try {
    const request = readRequest(words);
    if (request !== 'help') return await runReview(request);
    console.log(reviewHelp);
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    const isUsage = error instanceof UsageError || (error instanceof TypeError && 'code' in error);
    if (isUsage) console.error('See npm run verify -- review --help');
    return 2;
  }
}

/** The walk ends after this time, whatever it waits for. */
const walkLimitMs = 12 * 60_000;

async function runReview(request: Request): Promise<number> {
  const { platform, stage, features, chosen, folder } = request;
  const startedMs = systemClock();
  const pages = await readPages(request.pages);
  const browser = await openBrowser({ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false });
  if (browser === undefined)
    throw new Error('there is no Chromium here: install one, or name one with CHROMIUM_PATH');
  // The walk ends when its browser does, so the rest is stopped in the same way as at the end.
  const controller = new AbortController();
  const end = () => {
    controller.abort();
    void browser.close();
  };
  const limit = setTimeout(end, walkLimitMs);
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, end);
  try {
    mkdirSync(folder, { recursive: true });
    const results = await inLocalCloud(request, controller.signal, (cloud, apiKey) =>
      walkThrough(request, { browser, cloud, apiKey, signal: controller.signal }),
    );
    const facts: ReviewFacts = { ...request, pages, results };
    const points = checklist(facts);
    const scopes = scopesToRequest(features, chosen);
    writeFileSync(join(folder, 'report.md'), reviewReport(facts, points, scopes, startedMs));
    console.log(`\nThe review of ${platformTitles[platform]}, stage ${stage}\n`);
    console.log(checklistLines(points).join('\n'));
    console.log(`\nReport and pictures: ${join(folder, 'report.md')}`);
    if (controller.signal.aborted) return 2;
    return points.some(({ state }) => state === 'missing') ? 1 : 0;
  } finally {
    clearTimeout(limit);
    for (const signal of signals) process.removeListener(signal, end);
    await browser.close();
  }
}

/** Runs on a local cloud with an empty workspace, and removes everything at the end. */
async function inLocalCloud<Result>(
  { platform, chosen }: Pick<Request, 'platform' | 'chosen'>,
  signal: AbortSignal,
  run: (cloud: LocalCloud, apiKey: string) => Promise<Result>,
): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'herald-review-'));
  try {
    const assemblyDirectory = join(directory, 'cdk.out');
    console.log('Synthesizing the stacks …');
    await synthesize(root, assemblyDirectory);
    signal.throwIfAborted();
    console.log('Starting the local cloud …');
    const data = openDataDirectory(directory);
    const cloud = await startLocalCloud({
      assemblyDirectory,
      data,
      port: 0,
      panelPort: 0,
      jitter: 'none',
      environmentOverrides: (addresses) => ({
        ...environmentOverrides(addresses),
        PLATFORM_FEATURES: JSON.stringify(chosen === undefined ? {} : { [platform]: chosen }),
      }),
      startPlatforms,
      startIssuer,
      log: (line) => console.error(line),
    });
    try {
      const [workspace] = await openDemoWorkspaces(cloud, data);
      if (workspace === undefined) throw new Error('the workspace is missing');
      return await run(cloud, workspace.apiKey);
    } finally {
      await cloud.stop();
      data.release();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Surroundings {
  readonly browser: Browser;
  readonly cloud: LocalCloud;
  readonly apiKey: string;
  readonly signal: AbortSignal;
}

/** No step waits longer for a button or a field. */
const pageLimitMs = 90_000;

async function walkThrough(
  { platform, as, features, chosen, folder }: Request,
  { browser, cloud, apiKey, signal }: Surroundings,
) {
  const context = await browser.newContext({
    viewport: { width: 1_280, height: 900 },
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  context.setDefaultTimeout(pageLimitMs);
  const page = await context.newPage();
  const image = join(folder, 'sample.jpg');
  await page.setContent(sampleHtml);
  await page.locator('div').screenshot({ path: image, type: 'jpeg', quality: 80 });
  const control = cloud.platforms[platform]?.control ?? '';
  const visit: Visit = {
    page,
    panelUrl: cloud.panelUrl,
    platform,
    title: platformTitles[platform],
    as,
    features: requestedFeatures(features, chosen),
    scopes: scopesToRequest(features, chosen),
    login: demoUsername('demo'),
    image,
    video: join(import.meta.dirname, 'sample.mp4'),
    passTime: (seconds) => cloud.clock.advance(seconds * 1_000),
    act: async (name, body) =>
      Fields.parse(
        await answerOf(`${control}/${name}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      ),
    async platformPostId() {
      const id = basename(new URL(visit.postUrl ?? cloud.panelUrl).pathname);
      const headers = { authorization: `Bearer ${apiKey}` };
      const { post } = Post.parse(await answerOf(`${cloud.apiUrl}/v1/posts/${id}`, { headers }));
      return post.platforms[0]?.platformPostId ?? '';
    },
  };
  return walk(stepsFor(platform, visit.features), visit, {
    folder,
    signal,
    say: (line) => console.log(line),
  });
}

const Fields = z.record(z.string(), z.unknown());
const Post = z.object({
  post: z.object({ platforms: z.array(z.object({ platformPostId: z.string().nullable() })) }),
});

const answerLimitMs = 30_000;

/** @throws Error with what was answered, if it is not JSON that says so */
async function answerOf(url: string, request: RequestInit): Promise<unknown> {
  const answer = await fetch(url, { ...request, signal: AbortSignal.timeout(answerLimitMs) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

/** A picture of 1080 × 1080 pixels, which every platform takes. */
const sampleHtml = `<div style="width:1080px;height:1080px;display:grid;place-items:center;background:#7a4b2a;
  color:#fff;font:bold 90px sans-serif">Winter roast</div>`;

/** Reads pages as somebody without an account would. */
async function readPages(urls: Request['pages']): Promise<ReviewFacts['pages']> {
  const read = await Promise.all(
    Object.entries(urls).map(async ([name, url]) => [name, await readPage(url)] as const),
  );
  return Object.fromEntries(read);
}

/** Looks whether a reviewer can read a page. @param fetchPage replaces `fetch` in tests */
export async function readPage(url: string, fetchPage: typeof fetch = fetch): Promise<OwnPage> {
  if (!URL.canParse(url)) return { url, problem: 'is not an address' };
  if (new URL(url).protocol !== 'https:') return { url, problem: 'does not begin with https://' };
  try {
    const answer = await fetchPage(url, { signal: AbortSignal.timeout(answerLimitMs) });
    await answer.body?.cancel();
    if (!answer.ok) return { url, problem: `answers ${answer.status}` };
    const type = answer.headers.get('content-type') ?? '';
    return /html|pdf|text/.test(type) ? { url } : { url, problem: `is ${type || 'of no type'}, not a page` };
  } catch (error) {
    return { url, problem: `cannot be read (${error instanceof Error ? error.message : String(error)})` };
  }
}
