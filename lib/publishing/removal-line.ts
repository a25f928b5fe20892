import type { Platform } from '../platforms/contract/names.ts';
import type { OutcomeCode } from '../targets/outcome-codes.ts';
import type { Target } from '../targets/schemas.ts';

/** A step of the removal of a live destination, as logged for operators. The ids of the destination are keys of the line. */
export interface RemovalLine {
  readonly level: 'info' | 'warn';
  readonly message: (typeof removalMessages)[RemovalStep];
  readonly details: {
    readonly removal: RemovalStep;
    readonly platform: Platform;
    readonly code?: OutcomeCode | undefined;
    readonly reason?: string | undefined;
  };
}

type RemovalStep = 'requested' | 'failed' | 'removed' | 'noticed';

const removalMessages = {
  requested: 'a destination is to be taken down',
  failed: 'a destination could not be taken down',
  removed: 'a destination was taken down',
  noticed: 'a destination was deleted at the platform',
} as const;

/**
 * Returns the line of the log about a committed change of a removal; `undefined` for any other. Pure. Derived from the commit, as the line
 * about an outcome is.
 */
export function removalLineOf(
  before: Target | undefined,
  after: Target | undefined,
): RemovalLine | undefined {
  const removal = after?.removal;
  if (before === undefined || after === undefined || removal === undefined) return undefined;
  const { state, requestedAt } = before.removal ?? {};
  if (state === removal.state && requestedAt === removal.requestedAt) return undefined;
  const step = removal.state === 'removed' && removal.by === 'person' ? 'noticed' : removal.state;
  const code = removal.errorDetail?.code;
  const { error: reason } = removal;
  return {
    level: step === 'failed' ? 'warn' : 'info',
    message: removalMessages[step],
    details: {
      removal: step,
      platform: after.platform,
      ...(step === 'failed' && code !== undefined && { code }),
      ...(step === 'failed' && reason !== undefined && { reason }),
    },
  };
}
