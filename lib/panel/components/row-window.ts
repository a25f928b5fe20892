import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type FocusEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

interface ShownRow {
  /** The row's place in the whole list, from 0. */
  readonly index: number;
  /** Pixels from the list's top. `undefined`: the row has its natural place. */
  readonly top?: number;
}

interface RowWindow {
  readonly shown: readonly ShownRow[];
  /** The height of the whole list, in pixels. `undefined`: that of its rows. */
  readonly height: number | undefined;
  /** The list's element. */
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly onFocus: ((event: FocusEvent) => void) | undefined;
  /** Takes each row's element, which has its index as `data-index`. */
  readonly rowRef: ((row: HTMLElement | null) => void) | undefined;
}

interface RowWindowOptions {
  /** Names the list: the heights of its rows are remembered under this name. */
  readonly name: string;
  /** The ids of all rows, in order. */
  readonly ids: readonly string[];
  /** Shorter lists are shown completely. */
  readonly isLong: boolean;
}

/** Rows that are kept ready above and below what is in sight: Tab, a screen reader and quick scrolling find rows there. */
const rowsOutOfSight = 10;

/**
 * Chooses the rows of a long list that are in the page: those near the window's visible part, and the row that last had the focus with its
 * neighbours, so that the focus is not lost when somebody scrolls, and Tab goes on from there. Rows may have any height.
 */
export function useRowWindow({ name, ids, isLong }: RowWindowOptions): RowWindow {
  const list = useRef<HTMLDivElement>(null);
  const [listTop, setListTop] = useState(0);
  // What is assumed of a row must not change before the virtualizer measures it: it then moves what is in sight by the difference.
  const [heights, setHeights] = useState(() => keptHeights(name));
  const [focusedId, setFocusedId] = useState<string>();
  const focused = focusedId === undefined ? -1 : ids.indexOf(focusedId);
  const idAt = useCallback((index: number) => ids[index] ?? '', [ids]);
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    enabled: isLong,
    count: ids.length,
    getItemKey: idAt,
    estimateSize: (index) => heights.byId.get(idAt(index)) ?? heights.assumed,
    measureElement: heightOf,
    scrollMargin: listTop,
    overscan: rowsOutOfSight,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    rangeExtractor: (range) => withRow(focused, range.count, defaultRangeExtractor(range)),
  });

  useLayoutEffect(() => {
    const element = list.current;
    if (!isLong || element === null) return;
    const rows = virtualizer.elementsCache as ReadonlyMap<string, HTMLElement>;
    const look = () => {
      const { top, width } = element.getBoundingClientRect();
      setListTop(Math.round(top + window.scrollY));
      if (width === heights.width) return;
      setHeights(heightsOf(rows, width));
      virtualizer.measure();
    };
    look();
    // What is above the list changes the height of the page.
    const observer = new ResizeObserver(look);
    observer.observe(element);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [isLong, heights, virtualizer]);

  useEffect(() => {
    if (!isLong) return;
    const measured = virtualizer.itemSizeCache as ReadonlyMap<string, number>;
    return () => keepHeights(name, { ...heights, byId: new Map([...heights.byId, ...measured]) });
  }, [isLong, name, heights, virtualizer]);

  if (!isLong)
    return {
      shown: ids.map((_, index) => ({ index })),
      height: undefined,
      ref: list,
      onFocus: undefined,
      rowRef: undefined,
    };
  return {
    shown: virtualizer.getVirtualItems().map(({ index, start }) => ({ index, top: start - listTop })),
    height: virtualizer.getTotalSize(),
    ref: list,
    onFocus: ({ target }) => {
      // What is open over the page, such as a row's menu, is no part of a row in the document.
      const index = target.closest<HTMLElement>('[data-index]')?.dataset['index'];
      if (index !== undefined) setFocusedId(idAt(Number(index)));
    },
    rowRef: virtualizer.measureElement,
  };
}

/** Adds a row and its neighbours. Pure. @param row -1: none */
function withRow(row: number, count: number, indexes: readonly number[]): number[] {
  if (row < 0) return [...indexes];
  const kept = [row - 1, row, row + 1].filter((index) => index >= 0 && index < count);
  return [...new Set([...indexes, ...kept])].sort((left, right) => left - right);
}

/** The heights of a list's rows, in pixels with the lower margin. */
interface RowHeights {
  /** The list's width for which they hold, in pixels. */
  readonly width: number;
  readonly byId: ReadonlyMap<string, number>;
  /** The height of all other rows, until they are measured. */
  readonly assumed: number;
}

/** Rows with two lines. It counts until the first rows are measured. */
const nothingKnown: RowHeights = { width: 0, byId: new Map(), assumed: 60 };

const kept = new Map<string, RowHeights>();

/** Returns the kept heights of a list. It has its length at once if it is shown again, so *Back* finds the same place in it. */
const keptHeights = (name: string): RowHeights => kept.get(name) ?? nothingKnown;

const keepHeights = (name: string, heights: RowHeights): void => void kept.set(name, heights);

const heightOf = (row: HTMLElement): number =>
  row.offsetHeight + Number.parseFloat(getComputedStyle(row).marginBlockEnd);

/** The heights of some rows. The others are assumed to be as high on average. */
function heightsOf(rows: ReadonlyMap<string, HTMLElement>, width: number): RowHeights {
  const byId = new Map([...rows].map(([id, row]) => [id, heightOf(row)]));
  const sum = [...byId.values()].reduce((total, height) => total + height, 0);
  return { width, byId, assumed: byId.size === 0 ? nothingKnown.assumed : Math.round(sum / byId.size) };
}
