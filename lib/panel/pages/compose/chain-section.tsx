import { Button } from '../../components/button.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { Muted, Row } from '../../components/layout.tsx';
import { useLoaded } from '../../components/loaded.ts';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { TextArea } from '../../components/text-area.tsx';
import { TextField } from '../../components/text-field.tsx';
import { toast } from '../../components/toast-list.ts';
import { words } from '../../words/words.ts';
import { AccountChips } from './accounts.tsx';
import { optionFields } from './check.tsx';
import { accountName, useComposing } from './context.ts';
import { withOption } from './draft/actions.ts';
import type { Step } from './draft/draft.ts';
import { keys } from './draft/places.ts';
import classes from './fields.module.css';
import { AtField, Said, useSaid } from './fields.tsx';
import { Files } from './shared-panel.tsx';

const texts = words.composer.chain;
const mostSteps = 5;

/** The steps that follow once the post is live: up to five. */
export function ChainSection() {
  const { draft, act } = useComposing();
  const add = (kind: Step['kind']) => act({ do: 'addStep', key: crypto.randomUUID(), kind });
  return (
    <Section title={texts.title} lead={texts.lead} isCard>
      {draft.chain.map((step, place) => (
        <StepFields key={step.key} step={step} place={place} />
      ))}
      {draft.chain.length < mostSteps && (
        <Row>
          <Button size="small" icon="plus" onPress={() => add('followUp')}>
            {texts.addFollowUp}
          </Button>
          <Button size="small" icon="plus" onPress={() => add('crossPost')}>
            {texts.addCrossPost}
          </Button>
        </Row>
      )}
    </Section>
  );
}

function StepFields({ step, place }: { step: Step; place: number }) {
  const { draft, act, accounts } = useComposing();
  const { key, kind, accountIds, afterMinutes, content, media, options } = step;
  const edit = (changes: Partial<Omit<Step, 'key'>>) => act({ do: 'editStep', key, changes });
  const without = (id: string) => accountIds.filter((each) => each !== id);
  const minutes = useSaid(keys.step(key, 'minutes'));
  const text = useSaid(keys.step(key, 'content'), true);
  const remove = () => {
    act({ do: 'removeStep', key });
    toast({
      text: texts.removed,
      tone: 'neutral',
      action: {
        label: words.shared.toasts.undo,
        run: () => {
          act({ do: 'addStep', key, kind });
          edit(step);
        },
      },
    });
  };
  const loaded = useLoaded(optionFields);
  const published = kind === 'followUp' ? { content, media } : { content: draft.content, media: draft.media };
  const platforms = accountIds.flatMap((id) => accounts.get(id)?.platform ?? []);
  return (
    <fieldset className={classes.step}>
      <legend className={classes.stepTitle}>
        {texts.stepTitle(place + 1, kind === 'followUp' ? texts.followUp : texts.crossPost)}
      </legend>
      <Row isSpread>
        <Muted>{kind === 'followUp' ? texts.followUpNote : texts.crossPostNote}</Muted>
        <div className={classes.stepActions}>
          <IconButton
            icon="chevronDown"
            size="small"
            label={texts.down(place + 1)}
            isDisabled={place === draft.chain.length - 1}
            onPress={() => act({ do: 'moveStep', key, by: 1 })}
          />
          <span className={classes.flipped}>
            <IconButton
              icon="chevronDown"
              size="small"
              label={texts.up(place + 1)}
              isDisabled={place === 0}
              onPress={() => act({ do: 'moveStep', key, by: -1 })}
            />
          </span>
          <IconButton icon="trash" size="small" label={texts.remove(place + 1)} onPress={remove} />
        </div>
      </Row>
      <AtField of={keys.step(key, 'accounts')}>
        <AccountChips
          label={texts.accounts}
          accounts={accounts}
          chosen={accountIds}
          onToggle={({ id }) =>
            edit({ accountIds: accountIds.includes(id) ? without(id) : [...accountIds, id] })
          }
        />
        {accountIds
          .filter((id) => !accounts.has(id))
          .map((id) => (
            <Notice
              key={id}
              tone="bad"
              actions={
                <Button size="small" onPress={() => edit({ accountIds: without(id) })}>
                  {words.composer.accounts.remove}
                </Button>
              }
            >
              {texts.gone(accountName(accounts, id))}
            </Notice>
          ))}
        <Said of={keys.step(key, 'accounts')} isShared />
      </AtField>
      <AtField of={keys.step(key, 'minutes')}>
        <TextField
          label={texts.minutes}
          inputMode="numeric"
          value={Number.isNaN(afterMinutes) ? '' : String(afterMinutes)}
          onChange={(typed) => edit({ afterMinutes: typed === '' ? Number.NaN : Number(typed) })}
          {...minutes.field}
          autoComplete="off"
        />
      </AtField>
      {kind === 'followUp' && (
        <>
          <AtField of={keys.step(key, 'content')}>
            <TextArea
              label={texts.text}
              rows={3}
              value={content}
              onChange={(content) => edit({ content })}
              {...text.field}
              help={text.help()}
            />
          </AtField>
          <Files
            of={keys.step(key, 'media')}
            label={texts.files}
            value={media}
            onChange={(media) => edit({ media })}
            platforms={[...new Set(platforms)]}
          />
        </>
      )}
      {accountIds.map((accountId) => {
        const account = accounts.get(accountId);
        if (account === undefined || loaded === undefined) return null;
        return (
          <details key={accountId} className={classes.stepOptions}>
            <summary>{texts.options(accountName(accounts, accountId))}</summary>
            <loaded.OptionFields
              accountId={accountId}
              platform={account.platform}
              {...published}
              options={options[accountId] ?? {}}
              keyOf={(name) => keys.stepOption(key, accountId, name)}
              onChange={(name, value) =>
                edit({
                  options: { ...options, [accountId]: withOption(options[accountId] ?? {}, name, value) },
                })
              }
            />
          </details>
        );
      })}
    </fieldset>
  );
}
