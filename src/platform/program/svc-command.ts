/** The start of each command in help texts and hints. */

/** An installed command line has a shorter name; its wrapper sets SVC_COMMAND. */
export const svcCommand = process.env['SVC_COMMAND'] ?? 'npm run -s svc --'
