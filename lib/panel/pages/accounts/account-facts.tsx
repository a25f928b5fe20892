import { type Account, kindOf, reconnectByOf } from '../../accounts/account.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Section } from '../../components/section.tsx';
import { Time } from '../../components/time.tsx';
import { words } from '../../words/words.ts';
import { Code, Facts } from './facts.tsx';

const texts = words.accountsPage.account;

/** Who the account is, and until when it is connected. */
export function AccountFacts({ account }: { account: Account }) {
  const { id, username, displayName, externalId, connectedAt, meta } = account;
  const by = reconnectByOf(account);
  const kind = kindOf(account);
  return (
    <Section title={texts.facts} isCard>
      <Facts
        facts={[
          [texts.displayName, displayName !== null && <bdi>{displayName}</bdi>],
          [texts.username, username !== null && <bdi>{username}</bdi>],
          [texts.kind, kind && words.accountsPage.connect.kinds[kind]],
          ...Object.entries(texts.meta).map(([name, title]) => [title, textOf(meta[name])] as const),
          [texts.connectedAt, <Time key="at" at={connectedAt} />],
          [texts.reconnectBy, by === undefined ? texts.renewed : <Time key="by" at={by} isRelative />],
          [
            texts.accountId,
            <Code key="id">
              <code>{id}</code>
              <CopyButton text={id} label={texts.copyId} />
            </Code>,
          ],
          [
            texts.externalId,
            externalId !== null && (
              <Code>
                <code>
                  <bdi>{externalId}</bdi>
                </code>
                <CopyButton text={externalId} label={texts.copyExternalId} />
              </Code>
            ),
          ],
        ]}
      />
    </Section>
  );
}

const textOf = (value: unknown) => typeof value === 'string' && value !== '' && <bdi>{value}</bdi>;
