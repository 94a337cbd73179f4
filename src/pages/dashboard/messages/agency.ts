/** Texts of the home page, the keys, and their usage. */
import { keyDays } from '../../../limits/sizes.ts'
import { counted, filled, text } from '../../../platform/web/language/both-languages.ts'

export const agency = {
  overview: {
    hello: filled((name: string) => [`Hola, ${name}`, `Hello, ${name}`]),
    keyEnds: filled((key: string, date: string) => [
      `La clave «${key}» vence el ${date}.`,
      `The key “${key}” expires on ${date}.`,
    ]),
    factorHint: text(
      'Protegé tu cuenta con la verificación en dos pasos.',
      'Protect your account with two-step verification.',
    ),
    firstKey: text('Creá tu primera clave', 'Create your first key'),
    recent: text('Cambios recientes', 'Recent changes'),
  },
  keys: {
    subtitle: text(
      'Con una clave, un sistema o un sitio web puede leer y administrar las propiedades.',
      'With a key, a system or website can read and manage the listings.',
    ),
    none: text('Todavía no hay claves', 'No keys yet'),
    noneText: text(
      'Un sistema o un sitio web necesita una clave para usar la API.',
      'A system or website needs a key to use the API.',
    ),
    over: counted(
      ['# clave vencida o revocada', '# claves vencidas o revocadas'],
      ['# expired or revoked key', '# expired or revoked keys'],
    ),
    create: text('Crear una clave', 'Create a key'),
    createText: text(
      'La clave completa se muestra una sola vez, al crearla.',
      'The full key is shown only once, when you create it.',
    ),
    scopes: text('Permisos', 'Scopes'),
    expires: text('Vence', 'Expires'),
    noExpiry: text('No vence', 'Never'),
    signature: text('Firma', 'Signature'),
    signatureOn: text('Obligatoria en cada solicitud', 'Required on every request'),
    signatureOff: text('No se exige', 'Not required'),
    origins: text('Sitios permitidos', 'Allowed sites'),
    noOrigins: text('Ninguno: solo se usa desde servidores', 'None: server use only'),
    facts: text('Datos', 'Details'),
    activity: text('Solicitudes de los últimos 30 días', 'Requests in the last 30 days'),
    seeRequests: text('Ver solicitudes', 'View requests'),
    errors: text('Errores más frecuentes:', 'Most frequent errors:'),
    limits: text('Límites de la clave', 'Key limits'),
    endsSoon: filled((date: string) => [
      `Esta clave vence el ${date}. Rotala antes: la nueva tiene la misma configuración.`,
      `This key expires on ${date}. Rotate it before then: the new key has the same configuration.`,
    ]),
    statuses: {
      expired: text('Vencida', 'Expired'),
      revoked: text('Revocada', 'Revoked'),
      soon: text('Vence pronto', 'Expires soon'),
      until: filled((date: string) => [`Hasta el ${date}`, `Until ${date}`]),
    },
    rotate: text('Rotar', 'Rotate'),
    rotateText: text(
      'Crea una clave nueva con la misma configuración. Esta sigue funcionando hasta que la revoques o hasta la fecha que elijas.',
      'Creates a new key with the same configuration. This key keeps working until you revoke it, or until the date you choose.',
    ),
    revokesOn: text('Cuándo revocar la clave anterior (opcional)', 'Revoke the old key on (optional)'),
    revokesOnHint: text(
      'Se revoca a las 21 h del día anterior, hora argentina (0 h UTC).',
      'At 00:00 UTC on that day: 21:00 the evening before in Argentina.',
    ),
    rotateNow: text('Crear la clave nueva', 'Create the new key'),
    setEnd: text('Programar la revocación', 'Schedule revocation'),
    setEndText: text(
      'La clave se revoca automáticamente en esa fecha. Sin fecha, vale hasta que la revoques.',
      'The key is revoked automatically on this date. Without a date, it works until you revoke it.',
    ),
    endIs: filled((moment: string) => [
      `Se revoca automáticamente el ${moment}. Para cancelarlo, borrá la fecha.`,
      `It will be revoked automatically on ${moment}. To cancel that, clear the date.`,
    ]),
    endDate: text('Fecha de revocación', 'Revocation date'),
    revoke: text('Revocar', 'Revoke'),
    revokeText: text(
      'La clave deja de funcionar de inmediato y para siempre.',
      'The key stops working immediately. This cannot be undone.',
    ),
    revokeNow: text('Sí, revocar', 'Yes, revoke it'),
    nameLabel: text('¿Para qué es?', 'What is it for?'),
    nameHint: text(
      'Un nombre para reconocerla: «CRM», «Sitio web».',
      'A name to identify it: “CRM”, “Website”.',
    ),
    scopeHints: {
      'properties:read': text(
        'Leer propiedades publicadas. Puede usarse desde un sitio web.',
        'Read published listings. Can be used from a website.',
      ),
      'properties:write': text(
        'Crear, editar y publicar propiedades, y ver borradores. Incluye la lectura. Las claves reales se usan solo desde servidores.',
        'Create, edit and publish listings, and see drafts. Includes reading. Live keys: server use only.',
      ),
      'leads:read': text(
        `Leer consultas de interesados. Vence a los ${keyDays.leads} días como máximo.`,
        `Read leads. Lasts ${keyDays.leads} days at most.`,
      ),
      'leads:write': text(
        `Registrar consultas de interesados. Vence a los ${keyDays.leads} días como máximo.`,
        `Record leads. Lasts ${keyDays.leads} days at most.`,
      ),
    },
    expiresLabel: text('Vencimiento (opcional)', 'Expiry date (optional)'),
    expiresHint: text(
      `Sin fecha, las claves de solo lectura no vencen, las de escritura duran ${keyDays.write} días y las de consultas, ${keyDays.leads}.`,
      `Without a date, read-only keys never expire, keys that write last ${keyDays.write} days and leads keys ${keyDays.leads}.`,
    ),
    originsLabel: text('Sitios permitidos (opcional)', 'Allowed sites (optional)'),
    originsHint: filled((max: number) => [
      `Hasta ${max}, uno por línea: https:// y el dominio, sin nada después. Con www y sin www son sitios distintos. Las claves reales de escritura no admiten ninguno. Las de prueba que escriben admiten solo http://localhost:3000 y similares; las demás de prueba, también esos.`,
      `Up to ${max}, one per line: https:// and the domain, nothing after it. With www and without www are different sites. Live keys that can write take none. Test keys that can write take only http://localhost:3000 and the like; other test keys take those too.`,
    ]),
    signatureLabel: text('Exigir firma', 'Require signatures'),
    signatureHint: text(
      'Cada solicitud se firma con un secreto aparte. Con la clave sola no alcanza para usar la API.',
      'Every request is signed with a separate secret. The key alone is not enough to use the API.',
    ),
    madeTitle: text('Clave creada', 'Key created'),
    onlyNow: text(
      'Copiala ahora: por seguridad no se vuelve a mostrar.',
      'Copy it now. For security, it is not shown again.',
    ),
    theKey: text('Tu clave', 'Your key'),
    theSecret: text('Secreto de firma', 'Signing secret'),
    secretText: text(
      'También se muestra solo ahora. Sirve para calcular la firma: nunca lo envíes en una solicitud.',
      'This is also shown only now. Use it to compute signatures; never send it in a request.',
    ),
    old: text('Ir a la clave anterior', 'Go to the old key'),
    oldWorks: text(
      'La clave anterior sigue funcionando. Cuando la nueva esté en uso, revocala.',
      'The old key keeps working. Revoke it once the new one is in use.',
    ),
    keptIt: text('Ya la guardé', 'I have saved it'),
  },
  usage: {
    see: text('Ver el uso', 'View usage'),
    subtitle: text(
      'Qué hacen las claves y cuánto queda de cada límite.',
      'What the keys do, and what is left of each limit.',
    ),
    period: text('Período', 'Period'),
    lastDays: filled((days: number) => [`${days} días`, `${days} days`]),
    perDay: text('Solicitudes por día', 'Requests per day'),
    perKey: text('Solicitudes por clave', 'Requests by key'),
    errorsByCode: text('Errores por código', 'Errors by code'),
    noErrors: text('No hubo errores en este período.', 'No errors in this period.'),
    noRequests: text('No hubo solicitudes en este período.', 'No requests in this period.'),
    agencyLimits: text('Límites de la inmobiliaria', 'Agency limits'),
    keyLimits: text(
      'Cada clave tiene sus propios límites de lectura y escritura: están en su página.',
      'Each key has its own read and write limits, shown on its page.',
    ),
    succeeded: text('Correctas', 'Succeeded'),
    failed: text('Con error', 'Failed'),
    inDays: filled((total: string, days: number) => [
      `${total} ${total === '1' ? 'solicitud' : 'solicitudes'} en ${days} días`,
      `${total} ${total === '1' ? 'request' : 'requests'} in ${days} days`,
    ]),
    asTable: text('Ver como tabla', 'View as table'),
    day: text('Día (UTC)', 'Day (UTC)'),
    left: filled((left: string, max: string) => [`quedan ${left} de ${max}`, `${left} of ${max} left`]),
    resets: text('Se renueva', 'Resets'),
    holdsUntil: filled((moment: string) => [`hasta el ${moment}`, `until ${moment}`]),
  },
  limits: {
    reads_per_minute: text('Lecturas por minuto', 'Reads per minute'),
    reads_per_day: text('Lecturas por día', 'Reads per day'),
    writes_per_minute: text('Escrituras por minuto', 'Writes per minute'),
    writes_per_day: text('Escrituras por día', 'Writes per day'),
    new_listings_per_hour: text('Propiedades nuevas por hora', 'New listings per hour'),
    new_listings_per_day: text('Propiedades nuevas por día', 'New listings per day'),
    photos_per_day: text('Fotos por día', 'Photos per day'),
    geocoding_per_minute: text('Direcciones buscadas por minuto', 'Address lookups per minute'),
    geocoding_per_day: text('Direcciones buscadas por día', 'Address lookups per day'),
  },
}
