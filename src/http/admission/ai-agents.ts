/** Names of AI agents and crawlers that the npm package's list lacks or tags as libraries. A name matches a whole word, in any case. */
const namesIn = (list: string): string[] => list.trim().split(/,\s+/)

/** AI agents: refused everywhere. */
export const aiAgentNames: readonly string[] = namesIn(`
  AddSearchBot, Ai2Bot, Ai2Bot-Dolma, aiHitBot, AmazonBuyForMe, Andibot, anthropic-ai, ApifyBot,
  Applebot-Extended, bedrockbot, Bravebot, Brightbot, BuddyBot, Bytespider, CCBot, ChatGPT-User,
  ChatGPT Agent, Claude-Code, Claude-SearchBot, Claude-User, Claude-Web, ClaudeBot, cohere-ai,
  cohere-training-data-crawler, Cotoyogi, Crawlspace, DeepSeekBot, Devin, Diffbot, DuckAssistBot,
  EchoboxBot, Factset_spyderbot, FirecrawlAgent, FriendlyCrawler, Gemini-Deep-Research, Google-Agent,
  Google-CloudVertexBot, Google-Extended, GoogleAgent-Mariner, GoogleOther, GPTBot, GrokBot, iaskspider,
  ICC-Crawler, img2dataset, ISSCyberRiskCrawler, Kangaroo Bot, LinerBot, Manus-User, meta-externalagent,
  meta-externalfetcher, MistralAI-User, NovaAct, OAI-SearchBot, omgili, omgilibot, OpenAI-Operator,
  PanguBot, Perplexity-User, PerplexityBot, PhindBot, QuillBot, SBIntuitionsBot, Timpibot,
  VelenPublicWebCrawler, Webzio-Extended, wpbot, xAI-SearchBot, YandexAdditional, YouBot
`)

/** Other crawlers: refused by the API, welcome on public pages. First services, then frameworks for crawling. */
export const crawlerNames: readonly string[] = namesIn(`
  Alexabot, Barkrowler, DotBot, facebookexternalhit, Pinterestbot, YandexBot, Yeti,
  colly, crawler4j, HTTrack, larbin, newspaper, Nutch, phpcrawl, python-scrapy, Scrapy, SimpleCrawler,
  trafilatura
`)
