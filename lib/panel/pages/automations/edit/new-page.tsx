import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { createAutomationOperation } from '../../../../automations/operations.ts';
import { useAccounts } from '../../../accounts/use-accounts.ts';
import { isNotFound } from '../../../api/api-error.ts';
import { useSend } from '../../../api/hooks.ts';
import { Button } from '../../../components/button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Page } from '../../../components/page.tsx';
import { toast } from '../../../components/toast-list.ts';
import { words } from '../../../words/words.ts';
import { useWorkspace } from '../../../workspace.tsx';
import { Back } from '../automation-page.tsx';
import { titleOf } from '../titles.ts';
import { automationPaths } from '../use-automations.ts';
import { AutomationForm } from './automation-form.tsx';
import { type Draft, newDraft, toCreate } from './draft.ts';
import { PlaceFields } from './place.tsx';
import { HasAutomation } from './post-choice.tsx';
import { useAutomationDraft } from './use-automation-draft.ts';

const texts = words.automationsPage.form;

/** A new automation; the URL may name its account and post. */
export function NewAutomationPage() {
  const { name } = useWorkspace();
  const { account = '', post = '' } = useSearch({ from: '/shell/automations/new' });
  const of = `new/${account}/${post}`;
  return (
    <Page title={texts.newTitle} of={name} back={<Back />}>
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
  const [existing, setExisting] = useState<string>();
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
          if ('existing' in reply) return setExisting(automation.id);
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
          {existing !== undefined && <HasAutomation id={existing} />}
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
