import { useEffect, useState } from 'react';
import type { beginConnectionOperation } from '../../connections/operations.ts';
import type { AccountKind, Platform } from '../../platforms/contract/names.ts';
import { call } from '../api/client.ts';
import { Button } from '../components/button.tsx';
import { Dialog, DialogActions, DialogBody } from '../components/dialog.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Muted } from '../components/layout.tsx';
import { Notice } from '../components/notice.tsx';
import { Radio, RadioGroup } from '../components/radio-group.tsx';
import { words } from '../words/words.ts';
import { type Account, kindOf, nameOf } from './account.ts';
import { rememberAttempt } from './attempt.ts';
import classes from './connecting.module.css';
import { returnPath } from './connection-answer.ts';
import { PlatformMark } from './platform-mark.tsx';
import { platforms, platformTitles } from './platforms.ts';

interface ConnectDialogProps {
  isOpen: boolean;
  account?: Account | undefined;
  platform?: Platform | undefined;
  onClose: () => void;
}

const { connect } = words.accountsPage;

/** Says what connecting an account means, and sends the browser there. It comes back to the page `/accounts/connected`. */
export function ConnectDialog({ isOpen, account, platform, onClose }: ConnectDialogProps) {
  return (
    <Dialog
      title={account ? connect.reconnectTitle(nameOf(account)) : connect.title}
      size="medium"
      isOpen={isOpen}
      onClose={onClose}
    >
      <ConnectForm
        account={account}
        initial={account?.platform ?? platform ?? 'instagram'}
        onClose={onClose}
      />
    </Dialog>
  );
}

interface ConnectFormProps {
  account: Account | undefined;
  initial: Platform;
  onClose: () => void;
}

function ConnectForm({ account, initial, onClose }: ConnectFormProps) {
  const [platform, setPlatform] = useState(initial);
  const [kind, setKind] = useState<AccountKind>((account && kindOf(account)) ?? 'member');
  const { begin, isLeaving, error } = useBegin(account);
  const title = platformTitles[platform];
  const steps = account ? connect.reconnectSteps(title, nameOf(account)) : connect.steps(title);
  return (
    <>
      <DialogBody>
        {!account && (
          <div className={classes.platforms}>
            <RadioGroup
              label={connect.platform}
              value={platform}
              onChange={(value) => setPlatform(value as Platform)}
            >
              {platforms.map((each) => (
                <Radio key={each} value={each} note={connect.platformNotes[each]}>
                  <span className={classes.platform}>
                    <PlatformMark platform={each} />
                    {platformTitles[each]}
                  </span>
                </Radio>
              ))}
            </RadioGroup>
          </div>
        )}
        {!account && platform === 'linkedin' && (
          <RadioGroup label={connect.as} value={kind} onChange={(value) => setKind(value as AccountKind)}>
            {(['member', 'organization'] as const).map((each) => (
              <Radio key={each} value={each} note={connect.kindNotes[each]}>
                {connect.kinds[each]}
              </Radio>
            ))}
          </RadioGroup>
        )}
        <section className={classes.steps} aria-label={connect.stepsTitle}>
          <h3>{connect.stepsTitle}</h3>
          <ol>
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <Muted>{connect.patience}</Muted>
        </section>
        {account?.externalId && <Notice tone="info">{connect.externalId(account.externalId)}</Notice>}
        {error && <ErrorNotice error={error} title={connect.failed} />}
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{words.shared.actions.cancel}</Button>
        <Button
          variant="primary"
          icon="arrow"
          isPending={isLeaving}
          onPress={() => void begin(platform, platform === 'linkedin' ? kind : undefined)}
        >
          {connect.continue(title)}
        </Button>
      </DialogActions>
    </>
  );
}

/** Begins an attempt, remembers it for this tab, and leaves the panel. */
function useBegin(account: Account | undefined) {
  const [isLeaving, setLeaving] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    // Somebody came back with the browser's button, and the page is shown as it was left.
    const comeBack = ({ persisted }: PageTransitionEvent) => persisted && setLeaving(false);
    window.addEventListener('pageshow', comeBack);
    return () => window.removeEventListener('pageshow', comeBack);
  }, []);
  const fail = (failure: Error) => {
    setLeaving(false);
    setError(failure);
  };
  const begin = async (platform: Platform, as: AccountKind | undefined) => {
    setLeaving(true);
    setError(null);
    try {
      const { authUrl, state } = await call<typeof beginConnectionOperation>(
        'POST',
        '/v1/connect/{platform}',
        {
          path: { platform },
          body: {
            claim: true,
            redirectUrl: `${location.origin}${returnPath}`,
            as,
            // The last connection decides which one an account has.
            externalId: account?.externalId ?? undefined,
          },
        },
      );
      if (!/^https?:\/\//.test(authUrl)) return fail(new Error(connect.badAddress));
      rememberAttempt({ state, platform, accountId: account?.id });
      location.assign(authUrl);
    } catch (failure) {
      fail(failure as Error);
    }
  };
  return { begin, isLeaving, error };
}
