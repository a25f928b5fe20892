import { Suspense, useState } from 'react';
import { nameOf, reconnectByOf } from '../../accounts/account.ts';
import { PlatformMark } from '../../accounts/platform-mark.tsx';
import { Button } from '../../components/button.tsx';
import { sentence } from '../../components/error-notice.tsx';
import { ButtonLink, Link } from '../../components/link.tsx';
import { Status, type Tone } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { excerptOf } from '../../posts/post.ts';
import type { Risk } from '../../posts/risk.ts';
import { words } from '../../words/words.ts';
import type { AccountConcern } from './concerns.ts';
import type { Entry } from './next-day.ts';
import page from './now.module.css';
import { ConnectDialog } from './post-row.tsx';
import { Row } from './row.tsx';
import classes from './rows.module.css';

const texts = words.nowPage.account;
const tones: Readonly<Record<Risk, Tone>> = {
  disconnected: 'bad',
  expired: 'bad',
  expiring: 'warn',
  restricted: 'warn',
};
const shownPosts = 3;

/** An account that does not work, or soon will not, with what is planned for it. */
export function AccountRow({ concern }: { concern: AccountConcern }) {
  const { account, accountId, platform, risk, entries } = concern;
  const [isConnecting, setConnecting] = useState(false);
  const by = account && reconnectByOf(account);
  const said = account?.statusMessage ?? null;
  return (
    <>
      <Row
        mark={<PlatformMark platform={platform} />}
        title={
          account ? (
            <Link to="/accounts/$id" params={{ id: accountId }}>
              <bdi>{nameOf(account)}</bdi>
            </Link>
          ) : (
            words.account.disconnected
          )
        }
        state={
          <Status tone={tones[risk]} {...(risk === 'expiring' && { icon: 'clock' })}>
            {texts.states[risk]}
          </Status>
        }
        action={
          risk === 'restricted' ? (
            <ButtonLink to="/accounts/$id" params={{ id: accountId }} size="small">
              {texts.look}
            </ButtonLink>
          ) : (
            <Button size="small" icon="refresh" onPress={() => setConnecting(true)}>
              {account ? texts.reconnect : texts.connect}
            </Button>
          )
        }
      >
        <p className={classes['reason']}>
          {texts.reasons[risk]} {risk === 'expiring' && by !== undefined && <Time at={by} isInline />}
        </p>
        {said !== null && risk !== 'expiring' && (
          <p dir="auto" className={classes['said']}>
            {sentence(said)}
          </p>
        )}
        {entries.length > 0 && <Affected entries={entries} risk={risk} />}
      </Row>
      {isConnecting && (
        <Suspense>
          <ConnectDialog isOpen account={account} platform={platform} onClose={() => setConnecting(false)} />
        </Suspense>
      )}
    </>
  );
}

function Affected({ entries, risk }: { entries: readonly Entry[]; risk: Risk }) {
  const shown = entries.length === shownPosts + 1 ? entries : entries.slice(0, shownPosts);
  return (
    <div className={classes['affected']}>
      <p>{texts.effects[risk](entries.length)}</p>
      <ul>
        {shown.map(({ key, post, at }) => (
          <li key={key} className={classes['affectedPost']}>
            <Time at={at} format="time" isInline />
            <Link to="/posts/$id" params={{ id: post.id }}>
              <bdi>{excerptOf(post, 50) ?? words.post.noText}</bdi>
            </Link>
          </li>
        ))}
      </ul>
      {shown.length < entries.length && (
        <p className={page['minor']}>{texts.more(entries.length - shown.length)}</p>
      )}
    </div>
  );
}
