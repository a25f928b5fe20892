import { DateTimeField } from '../../../components/date-time-field.tsx';
import { TextArea } from '../../../components/text-area.tsx';
import textClasses from '../../../components/texts.module.css';
import { wallClockOf } from '../../../wall-clock.ts';
import { words } from '../../../words/words.ts';
import { contentOf, type Destination, inheritsComment, mediaOf } from '../draft/draft.ts';
import { keys } from '../draft/places.ts';
import { OptionFields } from '../options/option-fields.tsx';
import fieldClasses from './at-field.module.css';
import { AtField, Said, useSaid } from './at-field.tsx';
import { useComposing } from './context.ts';
import { Counters } from './counters.tsx';
import { Files, InheritedFiles } from './files.tsx';
import { InheritAgain, Inherited } from './inherited.tsx';
import classes from './panel.module.css';

/** What one account has of its own, and what it inherits. */
export function AccountPanel({ destination }: { readonly destination: Destination }) {
  return (
    <div className={classes['panel']}>
      <OwnText destination={destination} />
      <OwnFiles destination={destination} />
      <OwnOptions destination={destination} />
      <OwnTime destination={destination} />
    </div>
  );
}

interface Own {
  readonly destination: Destination;
}

function OwnText({ destination }: Own) {
  const { draft, act } = useComposing();
  const { accountId, content } = destination;
  const key = keys.ownContent(accountId);
  const said = useSaid(key);
  const override = (content: string | undefined) => act({ do: 'override', accountId, changes: { content } });
  if (content === undefined)
    return (
      <Inherited
        label={words.composer.text.label}
        says={words.composer.text.inherited}
        action={words.composer.text.override}
        onOverride={() => override(draft.content)}
      >
        <p className={textClasses['excerpt']}>{draft.content.trim() || words.composer.text.noText}</p>
        <Counters draft={draft} destinations={[destination]} />
      </Inherited>
    );
  return (
    <AtField of={key} isTall>
      <TextArea
        label={words.composer.text.label}
        rows={6}
        value={content}
        onChange={override}
        validationBehavior="aria"
        validate={said.validate}
        help={said.notes}
        autoFocus={content === draft.content}
      />
      <Counters draft={draft} destinations={[destination]} />
      <InheritAgain action={words.composer.text.inherit} onPress={() => override(undefined)} />
    </AtField>
  );
}

function OwnFiles({ destination: { accountId, platform, media } }: Own) {
  const { draft, act } = useComposing();
  const key = keys.ownMedia(accountId);
  const override = (media: Destination['media']) => act({ do: 'override', accountId, changes: { media } });
  if (media === undefined)
    return (
      <Inherited
        label={words.composer.files.label}
        says={words.composer.files.inherited}
        action={words.composer.files.override}
        onOverride={() => override(draft.media)}
      >
        <InheritedFiles value={draft.media} />
      </Inherited>
    );
  return (
    <div className={fieldClasses['atField']}>
      <Files of={key} value={media} onChange={override} platforms={[platform]} />
      <InheritAgain action={words.composer.files.inherit} onPress={() => override(undefined)} />
    </div>
  );
}

/** The options of an account's platform. */
export function OwnOptions({ destination }: Own) {
  const { draft, act } = useComposing();
  const { accountId, platform, options } = destination;
  return (
    <OptionFields
      accountId={accountId}
      platform={platform}
      content={contentOf(draft, destination)}
      media={mediaOf(draft, destination)}
      options={options}
      keyOf={(name) => keys.option(accountId, name)}
      onChange={(name, value) => act({ do: 'option', accountId, name, value })}
      {...(inheritsComment(destination) && { sharedComment: draft.firstComment })}
    />
  );
}

function OwnTime({ destination: { accountId, time } }: Own) {
  const { draft, act } = useComposing();
  const key = keys.ownTime(accountId);
  const override = (time: Destination['time']) => act({ do: 'override', accountId, changes: { time } });
  if (time === undefined)
    return (
      <Inherited
        label={words.composer.ownTime.label}
        says={words.composer.ownTime.inherited}
        action={words.composer.ownTime.override}
        onOverride={() =>
          override(
            draft.when.kind === 'at' && draft.when.time !== undefined
              ? draft.when.time
              : wallClockOf(new Date(Date.now() + 3_600_000), draft.timezone),
          )
        }
      />
    );
  return (
    <AtField of={key}>
      <DateTimeField label={words.composer.ownTime.label} value={time} onChange={override} />
      <Said of={key} />
      <InheritAgain action={words.composer.ownTime.inherit} onPress={() => override(undefined)} />
    </AtField>
  );
}
