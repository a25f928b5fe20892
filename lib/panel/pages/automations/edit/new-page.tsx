import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { createAutomationOperation } from '../../../../automations/operations.ts';
import { handleOf, nameOf } from '../../../accounts/account.ts';
import { useAccounts } from '../../../accounts/use-accounts.ts';
import { isNotFound } from '../../../api/api-error.ts';
import { useSend } from '../../../api/hooks.ts';
import { Button } from '../../../components/button.tsx';
import { ComboBox } from '../../../components/combo-box.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { Muted } from '../../../components/layout.tsx';
import { ButtonLink, Link } from '../../../components/link.tsx';
import { loadable, useLoaded } from '../../../components/loaded.ts';
import { Notice } from '../../../components/notice.tsx';
import { Page } from '../../../components/page.tsx';
import { Radio, RadioGroup } from '../../../components/radio-group.tsx';
import { Reading } from '../../../components/reading.tsx';
import { Section } from '../../../components/section.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { toast } from '../../../components/toast-list.ts';
import { words } from '../../../words/words.ts';
import { useWorkspace } from '../../../workspace.tsx';
import { type Automation, titleOf } from '../automation.ts';
import { automationPaths } from '../use-automations.ts';
import { AutomationForm } from './automation-form.tsx';
import { type Draft, newDraft, toCreate } from './draft.ts';
import classes from './form.module.css';
import { HasAutomation } from './has-automation.tsx';
import { useAutomationDraft } from './use-automation-draft.ts';

const texts = words.automationsPage.form;

const postChoice = loadable(() => import('./post-choice.tsx'));

/** A new automation; the URL may name its account and post, also a post that is not live: see `scheduledName`. */
export function NewAutomationPage() {
  const { name } = useWorkspace();
  const { account = '', post = '' } = useSearch({ from: '/shell/automations/new' });
  const of = `new/${account}/${post}`;
  return (
    <Page title={texts.newTitle} of={name} back={<Link to="/automations">{words.automationsPage.back}</Link>}>
      <NewAutomation key={of} of={of} accountId={account} platformPostId={post} />
    </Page>
  );
}

interface NewAutomationProps {
  of: string;
  accountId: string;
  platformPostId: string;
}

function NewAutomation({ of, accountId, platformPostId }: NewAutomationProps) {
  const navigate = useNavigate();
  const used = useAutomationDraft(of, newDraft(accountId, platformPostId));
  const { change, finish, discard, isChanged } = used;
  const accounts = useAccounts();
  const able = accounts.data?.accounts.filter(
    ({ platform, capabilities }) => platform === 'instagram' && capabilities.includes('comments'),
  );
  // Where there is no choice, nobody has to choose.
  const only = able?.length === 1 ? able[0]?.id : undefined;
  const draft = { ...used.draft, accountId: used.draft.accountId || (only ?? '') };
  const [existing, setExisting] = useState<Pick<Automation, 'id' | 'appliesTo'>>();
  const create = useSend<typeof createAutomationOperation>(
    'POST',
    '/v1/comment-automations',
    automationPaths,
  );
  const submit = (wanted: Draft) => {
    setExisting(undefined);
    create.mutate(
      { body: toCreate(wanted) },
      {
        onSuccess: (reply) => {
          const { automation } = reply;
          if ('existing' in reply) return setExisting({ id: automation.id, appliesTo: wanted.appliesTo });
          finish();
          const name = titleOf(automation);
          toast({ text: automation.isActive ? texts.created(name) : texts.createdPaused(name) });
          void navigate({ to: '/automations/$id', params: { id: automation.id } });
        },
      },
    );
  };
  const hasNoPost = create.error !== null && isNotFound(create.error);
  return (
    <AutomationForm
      used={{ ...used, draft }}
      account={able?.find(({ id }) => id === draft.accountId)}
      place={<PlaceFields draft={draft} change={change} />}
      isNew
      isPending={create.isPending}
      error={hasNoPost ? null : create.error}
      onSubmit={submit}
      notices={
        <>
          {existing !== undefined && <HasAutomation {...existing} />}
          {hasNoPost && (
            <Notice tone="bad" title={texts.notSaved} isLive>
              {texts.noPost}
            </Notice>
          )}
        </>
      }
      actions={
        isChanged && (
          <Button onPress={discard} isDisabled={create.isPending}>
            {texts.discardNew}
          </Button>
        )
      }
    />
  );
}

interface PlaceFieldsProps {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
}

/** The account, and its post. */
function PlaceFields({ draft: { accountId, appliesTo, platformPostId }, change }: PlaceFieldsProps) {
  const accounts = useAccounts();
  const loaded = useLoaded(postChoice);
  const all = accounts.data?.accounts.filter(({ platform }) => platform === 'instagram') ?? [];
  const able = all.filter(({ capabilities }) => capabilities.includes('comments'));
  const account = able.find(({ id }) => id === accountId);
  const choices = able.map((each) => ({ id: each.id, name: nameOf(each), note: handleOf(each) }));
  if (!accounts.data)
    return (
      <Reading
        of={accounts}
        waiting={
          <div className={classes.loadingPlace}>
            <Skeleton kind="card" rows={4} />
          </div>
        }
      />
    );
  if (able.length === 0)
    return (
      <EmptyState
        icon="accounts"
        title={texts.noAccounts.title}
        action={
          <ButtonLink to="/accounts" variant="primary" icon="accounts">
            {texts.noAccounts.action}
          </ButtonLink>
        }
      >
        <p>{texts.noAccounts.text}</p>
      </EmptyState>
    );
  return (
    <Section title={texts.post.title} isCard>
      <ComboBox
        name="accountId"
        label={texts.post.account}
        choices={choices}
        value={account?.id ?? null}
        onChange={(key) =>
          key !== null && key !== accountId && change({ accountId: String(key), platformPostId: '' })
        }
        isRequired
      />
      {all.length > able.length && (
        <Muted>
          {texts.otherAccounts} <Link to="/accounts">{texts.otherAccountsLink}</Link>
        </Muted>
      )}
      {account && account.status !== 'ok' && (
        <Notice
          tone="warn"
          actions={
            <Link to="/accounts/$id" params={{ id: account.id }}>
              {texts.reconnect}
            </Link>
          }
        >
          {account.status === 'expired' ? texts.accountExpired : words.automationsPage.account.error}
        </Notice>
      )}
      {account && (
        <RadioGroup
          label={texts.post.posts}
          value={appliesTo}
          onChange={(key) => change({ appliesTo: key as Draft['appliesTo'] })}
          isRequired
        >
          {(['post', 'next_post', 'every_post', 'story_replies', 'direct_messages'] as const).map((posts) => (
            <Radio key={posts} value={posts} note={words.automationsPage.posts[posts].note}>
              {words.automationsPage.posts[posts].name}
            </Radio>
          ))}
        </RadioGroup>
      )}
      {account && appliesTo === 'post' && !loaded && <Skeleton rows={6} />}
      {account && appliesTo === 'post' && loaded && (
        <loaded.PostChoice
          key={account.id}
          accountId={account.id}
          value={platformPostId}
          onChange={(id) => change({ platformPostId: id })}
        />
      )}
    </Section>
  );
}
