import { type KeyboardEvent, useState } from 'react';
import { useDrag } from 'react-aria/useDrag';
import type { Movable } from '../../posts/use-moves.ts';
import { dragType, useTools } from './context.tsx';

/**
 * Lets a card be dragged to a day with the mouse, or picked up with Space and put down with Enter.
 *
 * @param isDisabled nobody can pick it up. What is being dragged already stays so until it is put down
 */
export function useCardDrag(movable: Movable, isDisabled: boolean) {
  const { dragged } = useTools();
  const [isHeld, setHeld] = useState(false);
  const cannot = isDisabled && !isHeld;
  const { dragProps, dragButtonProps, isDragging } = useDrag({
    hasDragButton: true,
    isDisabled: cannot,
    getItems: () => [{ [dragType]: movable.post.id }],
    getAllowedDropOperations: () => ['move'],
    onDragStart: () => {
      setHeld(true);
      dragged.current = movable;
    },
    onDragEnd: () => setHeld(false),
  });
  const pickUp = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== ' ' || cannot) return;
    event.preventDefault();
    dragButtonProps.onPress?.({ pointerType: 'keyboard', target: event.currentTarget } as never);
  };
  return { dragProps, isDragging, pickUp };
}
