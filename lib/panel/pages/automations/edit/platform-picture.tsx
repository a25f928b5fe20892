import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { readPostPictureOperation } from '../../../../automations/operations.ts';
import { call } from '../../../api/client.ts';
import { useStore } from '../../../api/store.ts';
import { workspaceChoice } from '../../../api/workspace-choice.ts';
import { Icon, type IconName } from '../../../components/icon.tsx';
import { words } from '../../../words/words.ts';
import classes from './form.module.css';

const path = '/v1/accounts/{id}/posts/{platformPostId}/picture';

interface PlatformPictureProps {
  accountId: string;
  platformPostId: string;
  /** False if the platform names none. */
  hasPicture: boolean;
  /** The icon in its place. */
  icon: IconName;
}

/** The picture of a post as its platform shows it, read through the service once it comes into sight. */
export function PlatformPicture({ accountId, platformPostId, hasPicture, icon }: PlatformPictureProps) {
  const [wasSeen, setSeen] = useState(false);
  const workspaceId = useStore(workspaceChoice.store);
  const request = { path: { id: accountId, platformPostId } };
  const { data, isError } = useQuery({
    queryKey: [workspaceId, path, request],
    queryFn: ({ signal }) =>
      inTurn(() =>
        call<typeof readPostPictureOperation>('GET', path, request, {
          signal,
          workspaceId,
          isBackground: true,
        }),
      ),
    enabled: wasSeen && hasPicture,
    // Each reading asks the platform, and posts keep their pictures.
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const picture = data?.picture;
  const hasNone = !hasPicture || isError || picture === null;
  return (
    <span
      className={classes.picture}
      {...(hasNone && { role: 'img', 'aria-label': words.automationsPage.form.choosePost.noPicture })}
      ref={(frame) => {
        if (frame === null || wasSeen) return;
        const observer = new IntersectionObserver((entries) => {
          if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
        });
        observer.observe(frame);
        return () => observer.disconnect();
      }}
    >
      {picture ? (
        <img src={`data:${picture.contentType};base64,${picture.data}`} alt="" />
      ) : (
        <Icon name={icon} />
      )}
    </span>
  );
}

/** The pictures that are read at once: each takes the service a second of a processor. */
const mostAtOnce = 3;
let reading = 0;
const waiting: (() => void)[] = [];

async function inTurn<Result>(read: () => Promise<Result>): Promise<Result> {
  if (reading >= mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  else reading += 1;
  try {
    return await read();
  } finally {
    // The next one takes this one's place.
    const next = waiting.shift();
    if (next) next();
    else reading -= 1;
  }
}
