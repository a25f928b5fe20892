import { useState } from 'react';
import { platformTitles } from '../../../accounts/platforms.ts';
import { TextField } from '../../../components/text-field.tsx';
import textClasses from '../../../components/texts.module.css';
import { coverAddressOption, frameMsOf, takesFrame } from '../../../media/cover.ts';
import { FrameChoice } from '../../../media/frame-choice.tsx';
import { words } from '../../../words/words.ts';
import type { OwnCover as Cover } from '../draft/actions.ts';
import { type Destination, hasOwnCover, mediaOf } from '../draft/draft.ts';
import { hasCoverField, keys } from '../draft/places.ts';
import { AtField, Said, useSaid } from './at-field.tsx';
import { useComposing } from './context.ts';
import { InheritAgain, Inherited } from './inherited.tsx';

const texts = words.composer.ownCover;

/** The cover of the video at one account, if its platform lets each post choose: a frame, or the address of an image. */
export function OwnCover({ destination }: { destination: Destination }) {
  const { draft, act } = useComposing();
  const { accountId, platform, options } = destination;
  const [isOpened, setOpened] = useState(false);
  const [video] = mediaOf(draft, destination);
  const key = keys.ownCover(accountId);
  const name = coverAddressOption(platform);
  const said = useSaid(key);
  if (video === undefined || !hasCoverField(draft, destination)) return null;
  const given = name === undefined ? undefined : options[name];
  const address = typeof given === 'string' ? given : '';
  const change = (cover: Cover) => act({ do: 'ownCover', accountId, cover });
  const isOwn = isOpened || hasOwnCover(destination);
  // A platform that takes the shared image shows it, whatever frame is chosen.
  const isImageShared = draft.cover !== undefined && name === undefined && platform === 'instagram';
  if (!isOwn)
    return (
      <Inherited
        label={texts.label}
        says={texts.inherited}
        {...(!isImageShared && { action: texts.override, onOverride: () => setOpened(true) })}
      >
        {isImageShared && <p className={textClasses['minor']}>{texts.imageWins}</p>}
        <Said of={key} />
      </Inherited>
    );
  return (
    <AtField of={key}>
      <p className={textClasses['label']}>{texts.label}</p>
      {takesFrame(platform) && address === '' && (
        <FrameChoice
          video={video}
          frameMs={frameMsOf(platform, options) ?? draft.frameMs}
          platforms={platformTitles[platform]}
          onChange={(frameMs) => change({ frameMs })}
        />
      )}
      {name !== undefined && (
        <TextField
          label={texts.address}
          help={texts.addressHelp}
          type="url"
          value={address}
          onChange={(typed) => change({ address: typed === '' ? undefined : typed })}
          validationBehavior="aria"
          validate={said.validate}
          autoComplete="off"
        />
      )}
      {isImageShared && <p className={textClasses['minor']}>{texts.imageWins}</p>}
      {name === undefined ? <Said of={key} /> : said.notes}
      <InheritAgain
        action={texts.inherit}
        onPress={() => {
          setOpened(false);
          change({});
        }}
      />
    </AtField>
  );
}
