import { dayMs, hourMs, secondMs } from '../../../lib/kernel/clock.ts';
import type { Platform } from '../../../lib/platforms/contract/names.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import type { FaultName } from '../world/faults.ts';
import type { World } from '../world/world.ts';
import { isInDoubt } from './calls.ts';

/** Distance from a last call within which a fault may leave its outcome unknown. */
const aroundMs = 60 * secondMs;

/** Platforms that fetch some files themselves, and whose failure to do so looks like that of a bad file. */
const fetchesFiles = new Set<Platform>(['facebook', 'tiktok']);

/** The judge's knowledge about a failed target besides its item. */
interface Circumstances {
  /** True if its account was disconnected, or connected again, during the run. */
  readonly wasDisconnected: boolean;
  /** True if another target of the account has the same text, which some platforms refuse. */
  readonly isTwin: boolean;
}

/** Says why a target may not have failed; `undefined` if something in the run explains its failure. */
export function failureProblem(
  world: World,
  { platform, error = '', calls = [], scheduledFor = '' }: Target,
  { wasDisconnected, isTwin }: Circumstances,
): string | undefined {
  const kinds = new Set(world.troubles().map(({ kind }) => kind));
  const lastMs = world.lastTroubleMs();
  const has = (...causes: readonly Parameters<typeof kinds.has>[0][]) =>
    causes.some((cause) => kinds.has(cause));
  if (error === '') return 'has failed without a reason';
  if (wasDisconnected || error === 'the post that it follows was taken down') return undefined;
  if (isInDoubt(error)) {
    const intentMs = Math.max(...calls.map(({ intentAt }) => Date.parse(intentAt)));
    return isTroubled(world, intentMs - aroundMs, intentMs + aroundMs)
      ? undefined
      : `has an unknown outcome (${error}), but nothing went wrong at its last call`;
  }
  if (error.includes('asks to wait until') && has('rateLimited')) return undefined;
  if (error.startsWith('missed') && lastMs > Date.parse(scheduledFor) + dayMs) return undefined;
  if (error.includes('given up after 6 hours') && lastMs > Date.parse(scheduledFor) + 5 * hourMs)
    return undefined;
  // A platform that cannot read our file does not always say so in a way that could be told from a bad file.
  if (fetchesFiles.has(platform) && world.outages.some(({ of }) => of === 'files')) return undefined;
  // If the response to a refresh is lost, the refresh token that it replaced is lost too.
  if (/refresh token|invalid_grant/i.test(error) && !world.isCalm) return undefined;
  if (/could not be fetched|has not been inspected/.test(error) && has('sourceFails', 'sourceSlow'))
    return undefined;
  // Each further session counts against the daily number of uploads, so the third loss is the last.
  const [, losses] = /lost the upload (\d+) times/.exec(error) ?? [];
  if (losses !== undefined && count(world, 'uploadLost') >= Number(losses)) return undefined;
  if (error.includes('cannot be converted') && has('renditionFails')) return undefined;
  if (isTwin || has('rejected', 'tokenRevoked', 'tokenExpired')) return undefined;
  return `has failed (${error}), but nothing in the run is a reason to fail`;
}

const count = (world: World, fault: FaultName): number =>
  world.troubles().filter(({ kind }) => kind === fault).length;

function isTroubled({ troubles, outages, rollout }: World, fromMs: number, untilMs: number): boolean {
  return [...troubles(), ...outages, ...(rollout ? [rollout] : [])].some(
    (trouble) => trouble.fromMs <= untilMs && trouble.untilMs >= fromMs,
  );
}
