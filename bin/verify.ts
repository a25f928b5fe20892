/** Checks claims about a platform with a real account: `npm run verify`. */
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { systemClock } from '../lib/kernel/clock.ts';
import { apiVersions } from '../lib/platforms/contract/api-versions.ts';
import { type MediaType, Platform, platformNames } from '../lib/platforms/contract/names.ts';
import { adapterFor } from '../lib/platforms/registry/adapters.ts';
import { localPlatformUrls, pointAtLocalCloud } from './local-cloud.ts';
import { newMark, openAccount, sleep } from './verify/account.ts';
import { facebookVerification } from './verify/claims/facebook.ts';
import { instagramVerification } from './verify/claims/instagram.ts';
import { linkedinVerification } from './verify/claims/linkedin.ts';
import { pinterestVerification } from './verify/claims/pinterest.ts';
import { threadsVerification } from './verify/claims/threads.ts';
import { tiktokVerification } from './verify/claims/tiktok.ts';
import { youtubeVerification } from './verify/claims/youtube.ts';
import { openFile } from './verify/files.ts';
import { announcement, planSteps, type VerifiedMedia } from './verify/plan.ts';
import { appSecrets, redacting, reportName, reportOf } from './verify/report.ts';
import { exitCodeOf, runVerification } from './verify/run.ts';
import { claimsOf, type PlatformVerification } from './verify/verification.ts';

const help = `npm run verify -- <platform> --account <id> [options]

Checks the claims in docs/platforms that only a real account can settle, with your own app and a test account, and
writes a report. First it shows every request that it may send, and asks. It never sends others. At the end it deletes
everything that it created; the report begins with the rest that it could not delete.

Platforms: ${platformNames.join(', ')}

Options
  --account <id>    Herald's id of the test account (GET /v1/accounts)
  --stage <name>    the deployed stage of the account, with the AWS credentials and region of your shell
  --image <URL>     a public JPEG for the claims about images, such as the URL of a file in Herald
  --video <URL>     a public MP4 of a few seconds for the claims about videos
  --allow-public    also check claims that need a public post
  --dry-run         show the claims and the requests, and send none
  --yes             do not ask
  --report <path>   the report's file. Default: verify-<platform>-<date>.md
  --help            show this text

Exit codes: 0 if every claim that was checked is confirmed, 1 if a claim is refuted, 2 if the checks could not run or were
stopped. Ctrl-C stops them, deletes everything that was created, and writes the report.

npm run verify -- review <platform> walks through what the platform's reviewer will do, against a simulator: see its --help.

Without --stage it uses the local cloud, which must be running (npm run dev). DATA_DIR names its folder (default: .local).
`;

/** The checks of `npm run verify` for each platform. */
export const verifications: Readonly<Record<Platform, PlatformVerification>> = {
  facebook: facebookVerification,
  instagram: instagramVerification,
  linkedin: linkedinVerification,
  pinterest: pinterestVerification,
  threads: threadsVerification,
  tiktok: tiktokVerification,
  youtube: youtubeVerification,
};

class UsageError extends Error {
  override readonly name = 'UsageError';
}

async function main(): Promise<number> {
  const [first, ...rest] = process.argv.slice(2);
  if (first === 'review') {
    // The browser and the local cloud are loaded only for it.
    const { review } = await import('./verify/review/command.ts');
    return review(rest);
  }
  const { values, positionals } = readArguments();
  if (values.help || (positionals.length === 0 && values.account === undefined)) {
    console.log(help);
    return values.help ? 0 : 2;
  }
  const platform = readPlatform(positionals);
  if (values.account === undefined)
    throw new UsageError('--account is missing: GET /v1/accounts lists the ids.');
  const isLocal = values.stage === undefined;
  const stage = values.stage ?? (await pointAtLocalCloud());
  const platformUrls = isLocal ? await localPlatformUrls() : {};
  const { account, tools, accessToken } = await openAccount(stage, platform, values.account, platformUrls);
  const media = await openMedia(values);
  const adapter = await adapterFor(platform);
  if (adapter === undefined) throw new UsageError(`${platform} has no adapter.`);

  const verification = verifications[platform];
  const { platformAccountId, username, meta } = account;
  const subject = { account: { platformAccountId, username, meta }, isSandbox: tools.isSandbox === true };
  const plan = planSteps(verification, subject, { allowPublic: values['allow-public'], media });
  console.log(announcement(platform, verification, subject, plan).join('\n'));
  if (values['dry-run']) {
    console.log('\nClaims:');
    for (const { id, text, byHand } of claimsOf(verification)) {
      console.log(`  ${id}: ${text}${byHand === undefined ? '' : ` Not checked: ${byHand}`}`);
    }
    return 0;
  }
  if (!values.yes && !(await agrees())) {
    console.log('Nothing was sent.');
    return 2;
  }

  const token = await accessToken();
  const redact = redacting([token, ...appSecrets(tools.app)]);
  const stopped = stopOnInterrupt();
  const startedMs = systemClock();
  const outcome = await runVerification(verification, subject, plan, {
    adapter,
    accessToken: token,
    tools,
    media,
    mark: newMark(),
    sleep,
    signal: stopped,
    say: (line) => console.log(redact(line)),
    report: (error) =>
      console.error(redact(error instanceof Error ? (error.stack ?? error.message) : String(error))),
  });
  const facts = {
    platform,
    subject,
    stage,
    apiVersion: tools.apiVersion ?? apiVersions[platform].name,
    accountId: account.id,
    startedMs,
    plan,
  };
  const path = await write(values.report, reportName(platform, startedMs), reportOf(facts, outcome, redact));
  const count = (verdict: string) => outcome.results.filter((result) => result.verdict === verdict).length;
  console.log(
    `\n${count('confirmed')} confirmed, ${count('refuted')} refuted, ${count('not checked')} not checked. Report: ${path}`,
  );
  if (outcome.left.length > 0)
    console.log(`Delete by hand: ${outcome.left.length}. The report begins with them.`);
  return exitCodeOf(outcome);
}

function readArguments() {
  return parseArgs({
    allowPositionals: true,
    options: {
      account: { type: 'string' },
      stage: { type: 'string' },
      image: { type: 'string' },
      video: { type: 'string' },
      report: { type: 'string' },
      'allow-public': { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
}

function readPlatform([name = '', ...others]: readonly string[]): Platform {
  const platform = Platform.safeParse(name);
  if (others.length > 0) throw new UsageError(`unexpected argument "${others[0]}".`);
  if (platform.success) return platform.data;
  const problem = name === '' ? 'The platform is missing' : `Unknown platform "${name}"`;
  throw new UsageError(`${problem}. Choose one of: ${platformNames.join(', ')}`);
}

async function openMedia(given: Readonly<Partial<Record<MediaType, string>>>): Promise<VerifiedMedia> {
  const open = async (type: MediaType) =>
    given[type] === undefined ? {} : { [type]: await openFile(type, given[type]) };
  return { ...(await open('image')), ...(await open('video')) };
}

async function agrees(): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new UsageError('Nobody can be asked here: add --yes if you agree, or --dry-run.');
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await lines.question('\nSend these requests? Type yes to go on: ');
  lines.close();
  return answer.trim().toLowerCase() === 'yes';
}

/** Returns a signal that the first Ctrl-C fires, which stops the checks; the second ends the process. */
function stopOnInterrupt(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      console.log(
        'Stopping. Everything that the run created will be deleted; to keep it, press Ctrl-C again.',
      );
      controller.abort();
    });
  }
  return controller.signal;
}

/** Writes the report. Does not overwrite an earlier one, unless the operator names it. @returns its path */
async function write(given: string | undefined, name: string, text: string): Promise<string> {
  if (given !== undefined) {
    await writeFile(given, text);
    return given;
  }
  for (let number = 1; ; number += 1) {
    const path = number === 1 ? name : name.replace(/\.md$/, `-${number}.md`);
    try {
      await writeFile(path, text, { flag: 'wx' });
      return path;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}

if (import.meta.main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    const isUsage = error instanceof UsageError || (error instanceof TypeError && 'code' in error);
    if (isUsage) console.error('See npm run verify -- --help');
    process.exitCode = 2;
  }
}
