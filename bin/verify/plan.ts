import { type MediaType, type Platform, platformTitles } from '../../lib/platforms/contract/names.ts';
import type {
  AnnouncedRequest,
  PlatformVerification,
  VerificationStep,
  VerifiedFile,
  VerifiedSubject,
} from './verification.ts';

export type VerifiedMedia = Readonly<Partial<Record<MediaType, VerifiedFile>>>;

/** The operator's permissions and files. */
export interface Terms {
  readonly allowPublic: boolean;
  readonly media: VerifiedMedia;
}

export interface PlannedStep {
  readonly step: VerificationStep;
  /** The reason why the step does not run; undefined if it does. */
  readonly skipped: string | undefined;
}

/** Decides which steps run. Pure. */
export function planSteps(
  { steps }: PlatformVerification,
  subject: VerifiedSubject,
  { allowPublic, media }: Terms,
): PlannedStep[] {
  return steps.map((step) => {
    const { needs } = step;
    const unfit = step.unfit?.(subject);
    if (unfit !== undefined) return { step, skipped: unfit };
    if (step.audience(subject) === 'everyone' && !allowPublic)
      return { step, skipped: 'it makes a public post: add --allow-public' };
    if (needs !== undefined && media[needs] === undefined)
      return { step, skipped: `it needs a file: add --${needs} <URL>` };
    return { step, skipped: undefined };
  });
}

/** Returns the announcement of the run, for the person who must agree to it. Pure. */
export function announcement(
  platform: Platform,
  verification: PlatformVerification,
  subject: VerifiedSubject,
  plan: readonly PlannedStep[],
): string[] {
  const { account } = subject;
  const name = account.username ?? account.platformAccountId;
  const steps = plan.flatMap(({ step, skipped }, index) => {
    const head = `${index + 1}. ${step.title}`;
    if (skipped !== undefined) return [`${head}`, `   Skipped: ${skipped}.`];
    const audience = `   Visible to: ${step.audience(subject)}`;
    return [
      head,
      audience,
      ...requestLines(step.requests),
      `   Checks: ${step.claims.map(({ id }) => id).join(', ')}`,
    ];
  });
  const { remove, requests, byHand } = verification.removal;
  const removal = remove
    ? ['Then it removes what it has made:', ...requestLines(requests), `   If that is refused: ${byHand}`]
    : [`It cannot remove what it has made. ${byHand}`];
  return [
    `${platformTitles[platform]}, account ${name}${subject.isSandbox ? ', in the sandbox' : ''}: this run sends the following requests and no others.`,
    'It may also refresh the account’s access token, as publishing does.',
    '',
    ...steps,
    '',
    ...removal,
  ];
}

const requestLines = (requests: readonly AnnouncedRequest[]): string[] =>
  requests.map(
    ({ method, url, atMost }) => `   ${method} ${url}, at most ${atMost} time${atMost === 1 ? '' : 's'}`,
  );
