import type { TestedBug } from '../planted-bug.ts';

/** Bugs of automations: their replies, conversations, lookups and limits. */
export const automationBugs = {
  'a place of the hourly cap is given back in its bucket only': {
    patches: [
      {
        file: 'lib/automations/actions/private-reply-cap.ts',
        replace: 'add: { [place]: -1, total: -1 },',
        with: 'add: { [place]: -1 },',
      },
    ],
    caughtBy: [
      'test/lib/automations/actions/hourly-cap.test.ts',
      'that are given back leave one place each, even if the write is repeated after its response was lost',
    ],
  },
  'a place of the hourly cap is given back twice if the write is repeated': {
    patches: [
      {
        file: 'lib/automations/actions/private-reply-cap.ts',
        replace: 'if: { [place]: moreThan(0), writeId: anyOf(absent, differentFrom(writeId)) },',
        with: 'if: { [place]: moreThan(0) },',
      },
    ],
    caughtBy: [
      'test/lib/automations/actions/hourly-cap.test.ts',
      'that are given back leave one place each, even if the write is repeated after its response was lost',
    ],
  },
  'a repeated private reply takes no place of the hourly cap': {
    patches: [
      {
        file: 'lib/automations/actions/private-reply-cap.ts',
        replace: 'add: { [bucketNameAt(now)]: 1, total: 1 },\n    if: unconditionally,',
        with: 'add: { [bucketNameAt(now)]: 0, total: 0 },\n    if: unconditionally,',
      },
    ],
    caughtBy: [
      'test/lib/automations/actions/hourly-cap.test.ts',
      'wait one place longer for each message that was sent again',
    ],
  },
  'an answer does not raise the fencing token': {
    patches: [
      {
        file: 'lib/automations/actions/reopen.ts',
        replace: 'attempt: action.attempt + 1,',
        with: 'attempt: action.attempt,',
      },
    ],
    caughtBy: [
      'test/lib/automations/actions/answers.test.ts',
      'a tap takes the conversation from the worker that holds it, even if the tap is dated before an earlier one',
    ],
  },
  'the claim of what was sent ignores its owner': {
    patches: [
      {
        file: 'lib/automations/actions/sent-claims.ts',
        replace: 'if: { [either]: [{ pk: absent }, owner] },',
        with: 'if: {},',
      },
    ],
    caughtBy: [
      'test/lib/automations/actions/sent-claims.test.ts',
      'belong to the call whose response names them, even if the lookup of another call came first',
    ],
  },
  'the loser of a claim stays recorded as sent': {
    patches: [
      {
        file: 'lib/automations/actions/sent-claims.ts',
        replace: "if (other?.state !== 'done') return [];",
        with: "if (other?.state !== 'unknown') return [];",
      },
    ],
    caughtBy: [
      'test/lib/automations/actions/sent-claims.test.ts',
      'has an unknown outcome, and goes on with a tap on its button, which proves that it has arrived',
    ],
  },
  'a lookup takes an earlier message of the same conversation': {
    patches: [
      {
        file: 'lib/automations/actions/at-most-once-call.ts',
        replace: 'return isLatestMessage || isRecorded(action.calls ?? [], id);',
        with: 'return isLatestMessage && isRecorded(action.calls ?? [], id);',
      },
    ],
    caughtBy: [
      'test/lib/automations/actions/lag.test.ts',
      'distinguish a message from an earlier one with the same text',
    ],
  },
  'a second tap on an older button moves the conversation on': {
    patches: [
      {
        file: 'lib/automations/inbound/ingest-message.ts',
        replace:
          'if (!isLast && !(action.turn > turn && isAfterLastMessage(action, answer))) return undefined;',
        with: 'if (!isLast && !(action.turn > turn && isAfterLastMessage)) return undefined;',
      },
    ],
    caughtBy: [
      'test/lib/automations/actions/answers.test.ts',
      'does nothing if an earlier release has sent the last message, whose time is not known',
    ],
  },
  'an action wakes after the end of its window and is sent': {
    patches: [
      {
        file: 'lib/automations/actions/transitions.ts',
        replace: 'const wakeMs = Math.min(endMs, now() + waitMs * (1 + chance() / 2));',
        with: 'const wakeMs = Math.max(endMs, now() + waitMs * (1 + chance() / 2));',
      },
    ],
    caughtBy: [
      'test/lib/automations/actions/waiting.test.ts',
      'without notes, a reply and a message wait, and go out once within about an hour after it ends',
    ],
  },
  'a tap moves a conversation of another account': {
    patches: [
      {
        file: 'lib/automations/inbound/ingest-message.ts',
        replace: "action?.kind === 'automationMessage' && action.accountId === inbound.accountId;",
        with: "action?.kind === 'automationMessage';",
      },
    ],
    caughtBy: ['test/lib/automations/actions/answers.test.ts', 'that names the automation moves nothing'],
  },
} as const satisfies Readonly<Record<string, TestedBug>>;
