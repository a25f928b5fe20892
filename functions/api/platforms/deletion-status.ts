import middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { systemClock } from '../../../lib/kernel/clock.ts';
import { deletionStatusPage } from '../../../lib/withdrawals/status-page.ts';
import { findWithdrawal } from '../../../lib/withdrawals/store.ts';
import { errorPage, latePageReply } from '../../middleware/error-page.ts';
import { inTime } from '../../middleware/in-time.ts';
import { pageReply } from '../../middleware/page-reply.ts';
import type { Reply } from '../../middleware/reply.ts';
import { requestId } from '../../middleware/route.ts';
import { table } from '../../wire/aws.ts';
import { handlerFactory } from '../../wire/start.ts';

/** `GET /platforms/data-deletion/{code}` */
export const build = handlerFactory({ table }, ({ table }) =>
  inTime(
    middy<APIGatewayProxyEventV2, Reply, Error, Context>()
      .use(requestId())
      .use(errorPage())
      .handler(async ({ pathParameters }) => {
        const code = pathParameters?.['code'] ?? '';
        return pageReply(deletionStatusPage(await findWithdrawal(table, code, systemClock()), code));
      }),
    latePageReply,
  ),
);
