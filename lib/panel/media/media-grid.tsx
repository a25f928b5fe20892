import { useState } from 'react';
import { Button as BaseButton } from 'react-aria-components/Button';
import { GridList, GridListItem } from 'react-aria-components/GridList';
import { useDragAndDrop } from 'react-aria-components/useDragAndDrop';
import type { AskedShape } from '../../media/renditions/adapt.ts';
import { Button } from '../components/button.tsx';
import { join } from '../components/classes.ts';
import { Icon } from '../components/icon.tsx';
import { IconButton } from '../components/icon-button.tsx';
import { Menu } from '../components/menu.tsx';
import type { MenuAction } from '../components/menu-action.ts';
import { words } from '../words/words.ts';
import { adaptedFiles } from './adapted.ts';
import type { CheckedRequest, Finding } from './draft-media.ts';
import {
  conditionOf,
  type DraftMedia,
  type Entry,
  entriesOf,
  factsOf,
  formatDuration,
  kindOf,
  mediaIdOf,
  nameOf,
} from './draft-media.ts';
import { FitButtons, withoutFitHint } from './fit.tsx';
import classes from './media-grid.module.css';
import { Picture } from './picture.tsx';
import { ShapeDialog } from './shape-dialog.tsx';
import tiles from './tiles.module.css';

interface MediaGridProps {
  files: readonly DraftMedia[];
  findings: ReadonlyMap<string, Finding>;
  problems: ReadonlyMap<number, readonly string[]>;
  checked: CheckedRequest | undefined;
  frameMs: number | undefined;
  isDisabled: boolean;
  onChange: (files: readonly DraftMedia[]) => void;
  onDescribe: (place: number) => void;
  onRemove: (place: number) => void;
}

/** Loaded with the grid, which has the same choice for each file. */
export { ShapeFields } from './shape-fields.tsx';

/** The files in their order, which a person changes by dragging, by the keyboard, or from the menu of a file. */
export function MediaGrid({ files, checked, isDisabled, onChange, ...rest }: MediaGridProps) {
  const [shaped, setShaped] = useState<number>();
  const entries = entriesOf(files);
  const setShape = (place: number, shape: AskedShape) =>
    onChange(files.map((each, index) => (index === place ? withShape(each, shape) : each)));
  const inOrderOf = (ids: readonly string[]) =>
    ids.flatMap((id) => entries.find((each) => each.id === id)?.file ?? []);
  const { dragAndDropHooks } = useDragAndDrop({
    isDisabled: isDisabled || files.length < 2,
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': String(key) })),
    onReorder: ({ keys, target }) => {
      const moved = entries.filter(({ id }) => keys.has(id)).map(({ id }) => id);
      const others = entries.map(({ id }) => id).filter((id) => !keys.has(id));
      const place = others.indexOf(String(target.key)) + (target.dropPosition === 'after' ? 1 : 0);
      onChange(inOrderOf([...others.slice(0, place), ...moved, ...others.slice(place)]));
    },
  });
  const move = (from: number, to: number) => {
    const moved = files[from];
    if (moved === undefined) return;
    const others = files.filter((_, place) => place !== from);
    onChange([...others.slice(0, to), moved, ...others.slice(to)]);
  };
  return (
    <>
      <GridList
        aria-label={words.media.list}
        items={entries}
        dependencies={[rest.findings, rest.problems, rest.frameMs, isDisabled, files]}
        layout="grid"
        keyboardNavigationBehavior="tab"
        dragAndDropHooks={dragAndDropHooks}
        className={join(tiles.grid, classes.grid)}
      >
        {(entry) => (
          <GridListItem
            id={entry.id}
            textValue={words.media.tile.name(
              words.media.tile[kindOf(entry.file)],
              entry.place + 1,
              nameOf(entry.file),
            )}
            className={join(tiles.tile, classes.tile)}
          >
            <Tile
              {...rest}
              entry={entry}
              count={files.length}
              isDisabled={isDisabled}
              onMove={move}
              onShape={setShape}
              onChooseShape={setShaped}
            />
          </GridListItem>
        )}
      </GridList>
      {shaped !== undefined && (
        <ShapeDialog
          file={files[shaped]}
          adapted={adaptedFiles(checked).filter(({ original }) => original === files[shaped]?.url)}
          onChange={(shape) => setShape(shaped, shape)}
          onClose={() => setShaped(undefined)}
        />
      )}
    </>
  );
}

/** A shape that asks for nothing is left out. */
function withShape(media: DraftMedia, shape: AskedShape): DraftMedia {
  const { shape: _before, ...rest } = media;
  return Object.keys(shape).length === 0 ? rest : { ...rest, shape };
}

interface TileProps extends Omit<MediaGridProps, 'files' | 'onChange' | 'checked'> {
  entry: Entry;
  count: number;
  onMove: (from: number, to: number) => void;
  onShape: (place: number, shape: AskedShape) => void;
  onChooseShape: (place: number) => void;
}

function Tile({ entry, count, findings, problems, frameMs, isDisabled, ...acts }: TileProps) {
  const { file, place } = entry;
  const { onDescribe, onRemove, onMove, onShape, onChooseShape } = acts;
  const name = nameOf(file);
  const kind = kindOf(file);
  const { words: condition, problem } = conditionOf(findings.get(mediaIdOf(file) ?? ''));
  const said = problems.get(place) ?? [];
  const wrong = [...(problem === undefined ? [] : [problem]), ...said.map(withoutFitHint)];
  const { fit } = file.shape ?? {};
  const chooseFit = (fit: 'pad' | 'crop') => {
    onShape(place, { ...file.shape, fit });
    if (fit === 'crop') onChooseShape(place);
  };
  const isDescribed = (file.altText ?? '').trim() !== '';
  return (
    <>
      <div className={join(tiles.frame, classes.frame, wrong.length > 0 && classes.wrong)}>
        <Picture media={file} frameMs={file.type === 'video' && count === 1 ? frameMs : undefined} />
        {count > 1 && (
          <span className={join(tiles.badge, classes.place)} aria-hidden="true">
            {place + 1}
          </span>
        )}
        {kind === 'video' && (
          <span className={join(tiles.badge, tiles.length)}>
            <Icon name="play" size={10} />
            {file.durationMs === undefined ? words.media.tile.video : formatDuration(file.durationMs)}
          </span>
        )}
        <div className={classes.corner}>
          {/* React Aria wants it from the beginning, also while there is nothing to put in order. */}
          <BaseButton
            slot="drag"
            className={join(classes.handle, (isDisabled || count < 2) && classes.idle)}
            aria-label={words.media.tile.drag(name)}
          >
            <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
              <path d="M5 3h.01M9 3h.01M5 7h.01M9 7h.01M5 11h.01M9 11h.01" />
            </svg>
          </BaseButton>
          {!isDisabled && (
            <Menu
              label={words.media.tile.menu(name)}
              trigger={<IconButton icon="dots" size="small" label={words.media.tile.menu(name)} />}
              actions={[
                ...(kind === 'image'
                  ? [
                      {
                        id: 'fit',
                        name: words.fit.open,
                        icon: 'image' as const,
                        run: () => onChooseShape(place),
                      },
                    ]
                  : []),
                ...menuOf(place, count, onMove, () => onRemove(place)),
              ]}
            />
          )}
        </div>
      </div>
      <div className={tiles.text}>
        <p className={tiles.name} dir="auto" title={name}>
          {name}
        </p>
        <p className={tiles.facts}>{condition ?? factsOf(file)}</p>
        {wrong.map((each) => (
          <p key={each} className={classes.problem}>
            <Icon name="alert" size={14} />
            <span>{each}</span>
          </p>
        ))}
        {!isDisabled && <FitButtons messages={said} name={name} onChoose={chooseFit} />}
      </div>
      {kind !== 'document' && (
        <div className={classes.describe}>
          {fit !== undefined && (
            <Button
              size="small"
              variant="quiet"
              icon="image"
              aria-label={words.fit.change(words.fit.chosen[fit], name)}
              isDisabled={isDisabled}
              onPress={() => onChooseShape(place)}
            >
              {words.fit.chosen[fit]}
            </Button>
          )}
          <Button
            size="small"
            variant="quiet"
            icon={isDescribed ? 'check' : 'pencil'}
            aria-label={
              isDescribed ? words.media.tile.describedName(name) : words.media.tile.describeName(name)
            }
            isDisabled={isDisabled}
            onPress={() => onDescribe(place)}
          >
            {isDescribed ? words.media.tile.described : words.media.tile.describe}
          </Button>
        </div>
      )}
    </>
  );
}

function menuOf(
  place: number,
  count: number,
  move: TileProps['onMove'],
  removeIt: () => void,
): readonly MenuAction[] {
  const to = (id: string, name: string, target: number): readonly MenuAction[] =>
    target === place || target < 0 || target >= count ? [] : [{ id, name, run: () => move(place, target) }];
  return [
    ...to('earlier', words.media.tile.earlier, place - 1),
    ...to('later', words.media.tile.later, place + 1),
    ...(place > 1 ? to('first', words.media.tile.first, 0) : []),
    { id: 'remove', name: words.media.tile.remove, icon: 'trash', isDangerous: true, run: removeIt },
  ];
}
