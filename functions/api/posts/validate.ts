import { rulesFor } from '../../../lib/platforms/registry/rules.ts';
import { validatePostOperation } from '../../../lib/posts/request/operations.ts';
import { validatePost } from '../../../lib/posts/validate.ts';
import { toAdaptationView, toFindingView, toLinkCardView } from '../../../lib/posts/view/to-view.ts';
import { apiHandler } from '../../middleware/api.ts';
import { dailyLimits } from '../../wire/daily-limits.ts';
import { pageReader, plainHttpHosts } from '../../wire/public-network.ts';
import { mediaBaseUrl } from '../../wire/settings.ts';
import { stageFeatures } from '../../wire/stage-features.ts';

/** `POST /v1/posts/validate` */
export const build = apiHandler(
  validatePostOperation,
  { mediaBaseUrl, dailyLimits, stageFeatures, plainHttpHosts, pageReader },
  async ({ context: found, body, unbuilt }) => {
    const context = { ...found, rulesFor, unbuilt, readPage: found.pageReader() };
    const { problems, warnings, adaptations, cards } = await validatePost(context, body);
    return {
      status: 200,
      body: {
        valid: problems.length === 0,
        problems: problems.map(toFindingView),
        warnings: warnings.map(toFindingView),
        adaptations: adaptations.map(toAdaptationView),
        linkCards: cards.map(toLinkCardView),
      },
    };
  },
);
