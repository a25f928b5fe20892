import { describe, expect, it } from 'vitest';
import { failureCodeNames, failureCodes, waitReasons } from '../../../lib/automations/failure-codes.ts';
import {
  describeFailure,
  describeWait,
  type Remedy,
  shortReasonsOf,
} from '../../../lib/panel/pages/automations/reasons.ts';

describe('a failure', () => {
  const failureOf = (code: string) => ({ code, count: 1, message: 'The API says so.' });

  it.each(failureCodeNames)('with the code %s has words of the panel', (code) => {
    const { whoCanAct } = failureCodes[code];
    const { text, actor, next } = describeFailure({ ...failureOf(code), whoCanAct });
    expect(text).not.toBe('The API says so.');
    expect(actor).not.toBe('');
    // Whoever can act learns how.
    if (whoCanAct !== 'nobody') expect(next).not.toBe('');
  });

  it.each(['solar_storm', 'constructor', '__proto__'])(
    'with the unknown code %s has the words of the API',
    (code) =>
      expect(describeFailure({ ...failureOf(code), whoCanAct: 'operator' })).toEqual({
        text: 'The API says so.',
        actor: 'The operator can act',
        next: '',
        remedy: undefined,
      }),
  );

  it('is shown without an actor if the API names one that the panel does not know', () => {
    const whoCanAct = 'moon' as 'nobody';
    expect(describeFailure({ ...failureOf('internal'), whoCanAct }).actor).toBe('');
  });

  const remedies: [code: string, remedy: Remedy | undefined][] = [
    ['account_expired', 'account'],
    ['account_disconnected', 'account'],
    ['account_restricted', 'account'],
    ['permission_missing', 'account'],
    ['platform_rejected', 'edit'],
    ['text_removed', 'edit'],
    ['outcome_unknown', 'post'],
    ['window_closed', undefined],
    ['app_refused', undefined],
  ];
  it.each(remedies)('with the code %s leads to %s', (code, remedy) =>
    expect(describeFailure({ ...failureOf(code), whoCanAct: 'customer' }).remedy).toBe(remedy),
  );
});

describe('a wait', () => {
  const off = { isActive: false, account: undefined };
  const on = { isActive: true, account: { status: 'ok' } } as const;

  it.each(waitReasons)('for %s has words of the panel', (reason) => {
    expect(describeWait(reason, off).text).not.toBe(`Another reason: ${reason}.`);
    expect(shortReasonsOf([{ reason, count: 1 }])).not.toEqual(['another reason']);
  });

  it('names a reason that the panel does not know', () => {
    expect(describeWait('eclipse', off)).toEqual({ text: 'Another reason: eclipse.', remedy: undefined });
    expect(shortReasonsOf(['eclipse', 'comet'].map((reason) => ({ reason, count: 1 })))).toEqual([
      'another reason',
    ]);
  });

  const ended: [reason: string, text: string][] = [
    ['account_expired', 'Herald has access to the account again.'],
    ['account_disconnected', 'The account is connected again.'],
    ['automation_off', 'The automation is active again.'],
  ];
  it.each(ended)('for %s says if that has ended meanwhile', (reason, text) =>
    expect(describeWait(reason, on)).toEqual({ text, remedy: undefined }),
  );

  it.each(['account_restricted', 'permission_missing'])(
    'for %s leads to the account, whatever its state is',
    (reason) => expect(describeWait(reason, on).remedy).toBe('account'),
  );
});
