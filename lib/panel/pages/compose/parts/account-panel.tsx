import { TextArea } from '../../../components/text-area.tsx';
import textClasses from '../../../components/texts.module.css';
import { ownCoverOptions } from '../../../media/cover.ts';
import { words } from '../../../words/words.ts';
import { contentOf, type Destination, inheritsComment, mediaOf } from '../draft/draft.ts';
import { hasCoverField, keys } from '../draft/places.ts';
import { OptionFields } from '../options/option-fields.tsx';
import fieldClasses from './at-field.module.css';
import { AtField, useSaid } from './at-field.tsx';
import { useComposing } from './context.ts';
import { Counters } from './counters.tsx';
import { Files, InheritedFiles } from './files.tsx';
import { InheritAgain, Inherited } from './inherited.tsx';
import { OwnCover } from './own-cover.tsx';
import { OwnTime } from './own-time.tsx';
import classes from './panel.module.css';

/** What one account has of its own, and what it inherits. */
export function AccountPanel({ destination }: { destination: Destination }) {
  const { draft } = useComposing();
  return (
    <div className={classes['panel']}>
      <OwnText destination={destination} />
      <OwnFiles destination={destination} />
      <OwnCover destination={destination} />
      <OwnOptions destination={destination} hasOwnCoverField={hasCoverField(draft, destination)} />
      <OwnTime destination={destination} />
    </div>
  );
}

interface Own {
  destination: Destination;
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
export function OwnOptions({ destination, hasOwnCoverField = false }: Own & { hasOwnCoverField?: boolean }) {
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
      {...(hasOwnCoverField && { omitted: ownCoverOptions(platform) })}
      {...(inheritsComment(destination) && { sharedComment: draft.firstComment })}
    />
  );
}
