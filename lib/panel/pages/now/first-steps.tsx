import { type ReactNode, Suspense, useState } from 'react';
import type { Account } from '../../accounts/account.ts';
import { Button } from '../../components/button.tsx';
import { join } from '../../components/classes.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { Icon } from '../../components/icon.tsx';
import { Muted, Stack } from '../../components/layout.tsx';
import { ButtonLink, Link } from '../../components/link.tsx';
import { Section } from '../../components/section.tsx';
import { useCurl } from '../../curl.ts';
import { ConnectDialog } from '../../posts/post-parts.tsx';
import { firstTab } from '../../shell/pages.ts';
import { words } from '../../words/words.ts';
import { useIsOwner, useWorkspace } from '../../workspace.tsx';
import classes from './now.module.css';

const texts = words.nowPage.first;

/** The first steps in a workspace without posts: an account, the first post, or a program. */
export function FirstSteps({ accounts }: { accounts: readonly Account[] }) {
  const { name } = useWorkspace();
  const [isConnecting, setConnecting] = useState(false);
  const hasAccounts = accounts.length > 0;
  return (
    <div className={classes.first}>
      <Section title={texts.title} lead={texts.lead(name)}>
        <ol className={classes.steps}>
          <Step
            number={1}
            isDone={hasAccounts}
            title={texts.connectTitle}
            text={hasAccounts ? texts.connected(accounts.length) : texts.connectText}
            action={
              <Button
                variant={hasAccounts ? 'secondary' : 'primary'}
                icon="plus"
                onPress={() => setConnecting(true)}
              >
                {texts.connect}
              </Button>
            }
          />
          <Step
            number={2}
            title={texts.postTitle}
            text={texts.postText}
            action={
              <ButtonLink to="/compose" variant={hasAccounts ? 'primary' : 'secondary'} icon="pencil">
                {words.post.newPost}
              </ButtonLink>
            }
          />
        </ol>
      </Section>
      <Api account={accounts[0]} />
      {isConnecting && (
        <Suspense>
          <ConnectDialog isOpen onClose={() => setConnecting(false)} />
        </Suspense>
      )}
    </div>
  );
}

interface StepProps {
  number: number;
  isDone?: boolean;
  title: string;
  text: string;
  action: ReactNode;
}

function Step({ number, isDone = false, title, text, action }: StepProps) {
  return (
    <li className={classes.step}>
      <span className={join(classes.number, isDone && classes.done)} aria-hidden="true">
        {isDone ? <Icon name="check" /> : number}
      </span>
      <Stack gap={1}>
        <h3>{title}</h3>
        <Muted size="m">{text}</Muted>
      </Stack>
      <div className={classes.stepAction}>{action}</div>
    </li>
  );
}

/** The first post from a program. */
function Api({ account }: { account: Account | undefined }) {
  const curl = useCurl();
  const isOwner = useIsOwner();
  const body = {
    content: texts.example,
    scheduledFor: 'auto',
    platforms: [
      {
        platform: account?.platform ?? 'instagram',
        accountId: account?.id ?? texts.accountPlaceholder,
      },
    ],
  };
  return (
    <Section
      title={texts.apiTitle}
      lead={texts.apiText}
      actions={
        isOwner && (
          <Link to="/developers/{-$tab}" params={firstTab}>
            {texts.developers}
          </Link>
        )
      }
    >
      {!account && (
        <CodeBlock
          label={texts.accountsLabel}
          code={curl({ path: '/v1/accounts' })}
          copyLabel={words.shared.curl.copy}
        />
      )}
      <CodeBlock
        label={texts.postLabel}
        code={curl({ method: 'POST', path: '/v1/posts', body })}
        copyLabel={words.shared.curl.copy}
      />
    </Section>
  );
}
