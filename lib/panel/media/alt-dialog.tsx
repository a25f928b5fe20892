import type { Platform } from '../../platforms/contract/names.ts';
import { altTextCharacters as instagram } from '../../platforms/instagram/limits.ts';
import { altTextCharacters as linkedin } from '../../platforms/linkedin/limits.ts';
import { altTextCharacters as pinterest } from '../../platforms/pinterest/limits.ts';
import { altTextCharacters as threads } from '../../platforms/threads/limits.ts';
import { platformTitles } from '../accounts/platforms.ts';
import { Button } from '../components/button.tsx';
import { join } from '../components/classes.ts';
import { Dialog, DialogActions, DialogBody } from '../components/dialog.tsx';
import { Stack } from '../components/layout.tsx';
import { TextArea } from '../components/text-area.tsx';
import { words } from '../words/words.ts';
import type { DraftMedia } from './draft-media.ts';
import classes from './media.module.css';
import { Picture } from './picture.tsx';

interface AltDialogProps {
  files: readonly DraftMedia[];
  place: number | undefined;
  platforms: readonly Platform[];
  frameMs: number | undefined;
  onPlace: (place: number | undefined) => void;
  onDescribe: (place: number, altText: string) => void;
}

/** Describes the files for people who cannot see them, one after the other. What is typed is kept as it is typed. */
export function AltDialog({ files, place, platforms, frameMs, onPlace, onDescribe }: AltDialogProps) {
  const file = place === undefined ? undefined : files[place];
  const describable = files.flatMap((each, index) => (each.isDocument ? [] : [index]));
  const previous = describable.filter((index) => index < (place ?? 0)).at(-1);
  const next = describable.find((index) => index > (place ?? 0));
  return (
    <Dialog
      title={words.media.alt.title((place ?? 0) + 1)}
      isOpen={file !== undefined}
      size="medium"
      onClose={() => onPlace(undefined)}
    >
      {file !== undefined && place !== undefined && (
        <>
          <DialogBody>
            <div className={classes.picture}>
              <Picture key={file.url} media={file} frameMs={frameMs} isWhole />
            </div>
            <Description
              key={place}
              file={file}
              platforms={platforms}
              onChange={(altText) => onDescribe(place, altText)}
            />
          </DialogBody>
          <DialogActions>
            {previous !== undefined && (
              <Button onPress={() => onPlace(previous)}>{words.media.alt.previous}</Button>
            )}
            {next !== undefined && <Button onPress={() => onPlace(next)}>{words.media.alt.next}</Button>}
            <Button variant="primary" onPress={() => onPlace(undefined)}>
              {words.media.alt.done}
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}

interface DescriptionProps {
  file: DraftMedia;
  platforms: readonly Platform[];
  onChange: (altText: string) => void;
}

function Description({ file, platforms, onChange }: DescriptionProps) {
  const { characters, platforms: whose } = altLimitOf(platforms);
  const text = file.altText ?? '';
  const over = text.length - characters;
  return (
    <Stack gap={1}>
      <TextArea
        label={words.media.alt.label}
        help={words.media.alt.help}
        rows={3}
        value={text}
        onChange={onChange}
        isInvalid={over > 0}
        autoFocus
      />
      <p className={join(classes.count, over > 0 && classes.over)} aria-live="polite">
        {over > 0 ? words.media.alt.over(whose, over) : words.shared.characters(text.length, characters)}
      </p>
    </Stack>
  );
}

/** The limit of a description, whatever its platforms take. */
const mostOfAll = 5_000;
const limits: Partial<Record<Platform, number>> = { instagram, linkedin, pinterest, threads };

interface AltLimit {
  readonly characters: number;
  /** The platforms that set the limit, as people write them; empty if it is the service's own. */
  readonly platforms: string;
}

const list = new Intl.ListFormat('en-GB');

/** Returns the limit of a description on all of the post's platforms. */
function altLimitOf(platforms: readonly Platform[]): AltLimit {
  const characters = Math.min(mostOfAll, ...platforms.map((each) => limits[each] ?? mostOfAll));
  const strictest = platforms.filter((each) => limits[each] === characters);
  return { characters, platforms: list.format([...new Set(strictest)].map((each) => platformTitles[each])) };
}
