import { expect } from 'vitest';
import { announcement, type PlannedStep, planSteps } from '../../../bin/verify/plan.ts';
import { appSecrets, redacting, reportOf } from '../../../bin/verify/report.ts';
import { exitCodeOf, runVerification, type Verification } from '../../../bin/verify/run.ts';
import type { VerifiedFile } from '../../../bin/verify/verification.ts';
import { verifications } from '../../../bin/verify.ts';
import type { PlatformHttp } from '../../../lib/platforms/contract/http.ts';
import { type Fixture, openFixture } from '../../contract/fixture.ts';
import { type PlatformRow, rows } from '../../contract/rows.ts';
import type { FixtureServer } from '../../support/fixture-server.ts';

/** Scopes with which the token may also delete what it made. */
const withDeletion: Readonly<Record<string, string>> = {
  youtube:
    'https://www.googleapis.com/auth/youtube.upload https://www.googleapis.com/auth/youtube.readonly https://www.googleapis.com/auth/youtube.force-ssl',
  threads: 'threads_basic,threads_content_publish,threads_manage_replies,threads_read_replies,threads_delete',
};

export interface RunChanges {
  readonly allowPublic?: boolean;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly faults?: readonly (readonly [match: string, fault: string])[];
  /** Names of fixtures; null for none. */
  readonly image?: string | null;
  readonly video?: string | null;
  /** True if the token may delete what it made, for platforms with a separate scope for that. */
  readonly mayDelete?: boolean;
  readonly wrapHttp?: (http: PlatformHttp) => PlatformHttp;
  /** Called for each line of progress. */
  readonly onLine?: (line: string, stop: () => void) => void;
}

export interface Ran {
  readonly outcome: Verification;
  readonly plan: readonly PlannedStep[];
  readonly lines: readonly string[];
  readonly announced: readonly string[];
  readonly report: string;
  readonly secrets: readonly string[];
  readonly reported: readonly unknown[];
  readonly fixture: Fixture;
  /** The requests that the run sent, without those that connected the account. */
  readonly requests: readonly { readonly method: string; readonly url: string }[];
}

/** Runs the checks of a row's platform against its simulator, on a virtual clock. Close the fixture afterwards. */
export async function runChecks(
  row: PlatformRow,
  fixtures: FixtureServer,
  {
    allowPublic = true,
    settings,
    faults = [],
    image = 'image.jpg',
    video,
    mayDelete = true,
    ...changes
  }: RunChanges = {},
): Promise<Ran> {
  const { platform } = row;
  const fixture = await openFixture(row, fixtures);
  const scope = mayDelete ? withDeletion[platform] : undefined;
  const [account = fixture.account] = await fixture.connect(
    scope === undefined ? {} : { scope },
    mayDelete ? undefined : ['publish'],
  );
  if (settings) await fixture.set(settings);
  for (const [match, fault] of faults) await fixture.plan(match, fault);

  const file = async (name: string): Promise<VerifiedFile> => {
    const described = name === 'moov-last.mp4' ? { moovFirst: false } : {};
    return { source: await fixtures.source(name), described: { type: 'video', ...described } };
  };
  const usualVideo = ['instagram', 'threads'].includes(platform) ? 'moov-last.mp4' : 'video.mp4';
  const videoName = video === undefined ? usualVideo : video;
  const media = {
    ...(image !== null && { image: await file(image) }),
    ...(videoName !== null && { video: await file(videoName) }),
  };
  const subject = { account, isSandbox: false };
  const verification = verifications[platform];
  const plan = planSteps(verification, subject, { allowPublic, media });
  const secrets = [
    account.tokens.accessToken,
    account.tokens.refreshToken ?? '',
    ...appSecrets(fixture.tools.app),
  ];
  const redact = redacting(secrets);
  const lines: string[] = [];
  const reported: unknown[] = [];
  const before = (await requestsOf(fixture)).length;
  const stopped = new AbortController();
  const { http } = fixture.tools;
  const outcome = await runVerification(verification, subject, plan, {
    adapter: fixture.adapter,
    accessToken: account.tokens.accessToken,
    tools: { ...fixture.tools, http: changes.wrapHttp?.(http) ?? http },
    media,
    mark: 'm4rk',
    async sleep(milliseconds, signal) {
      await fixture.control('idle');
      fixture.clock.time += milliseconds;
      signal?.throwIfAborted();
    },
    signal: stopped.signal,
    say(line) {
      lines.push(redact(line));
      changes.onLine?.(line, () => stopped.abort());
    },
    report: (error) => reported.push(error),
  });
  const facts = {
    platform,
    subject,
    stage: 'dev',
    apiVersion: 'v1',
    accountId: 'account-1',
    startedMs: fixture.clock.time,
    plan,
  };
  return {
    outcome,
    plan,
    lines,
    announced: announcement(platform, verification, subject, plan),
    report: reportOf(facts, outcome, redact),
    secrets: secrets.filter((secret) => secret !== ''),
    reported,
    fixture,
    requests: (await requestsOf(fixture)).slice(before),
  };
}

async function requestsOf(fixture: Fixture): Promise<{ method: string; url: string }[]> {
  const requests = (await fixture.control('requests')) as unknown as { method: string; path: string }[];
  return requests.map(({ method, path }) => ({ method, url: `https:/${path}` }));
}

/** The claims with a verdict. */
export function claimsWith({ outcome }: Ran, verdict: string): string[] {
  return outcome.results.filter((result) => result.verdict === verdict).map(({ claim }) => claim.id);
}

/** Everything that a run shows: its progress and its report. */
export const shown = ({ lines, report }: Ran): string => `${lines.join('\n')}\n${report}`;

/** Runs the checks with a platform that refuses one request, and quotes the token and the secret of the app in its error. */
export function runQuoting(row: PlatformRow, fixtures: FixtureServer, refusedRequest: number): Promise<Ran> {
  let sent = 0;
  const wrapHttp = (http: PlatformHttp): PlatformHttp => ({
    ...http,
    async send(request) {
      sent += 1;
      const response = await http.send(request);
      if (sent - 1 !== refusedRequest) return response;
      const message = `No ${request.bearer} for ${request.url}?access_token=${request.bearer} (app-secret)`;
      const json = { error: { message, code: 100 }, message, status: 400, code: 'X' };
      return { ...response, status: 400, json, text: JSON.stringify(json) };
    },
  });
  return runChecks(row, fixtures, { wrapHttp });
}

/** The rows whose runs a person can stop with nothing left: the apps of the others cannot delete. */
export const removableRows = rows.filter(({ platform }) => platform !== 'instagram' && platform !== 'tiktok');

/** Runs the checks with a person who stops them at a line of progress, and expects that nothing is left. */
export async function expectRemovedAfterStop(
  row: PlatformRow,
  fixtures: FixtureServer,
  stoppedAt: number,
): Promise<void> {
  let count = 0;
  const ran = await runChecks(row, fixtures, {
    onLine(_line, stop) {
      if (count === stoppedAt) stop();
      count += 1;
    },
  });
  expect(ran.outcome.wasStopped).toBe(true);
  expect(ran.outcome.left).toEqual([]);
  expect(ran.reported).toEqual([]);
  expect(await ran.fixture.posts()).toEqual([]);
  expect(exitCodeOf(ran.outcome)).toBe(2);
  await ran.fixture.close();
}
