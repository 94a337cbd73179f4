/**
 * The fields of a listing, by path. Generated: `npm run openapi` writes this file from src/listings/fields/fields.ts.
 */

type ListingField = {
  /** How a cell is read; a choice by the name of its words. */
  kind: string
  /** Names of columns, folded, the likeliest first. */
  aliases: string
  values?: readonly string[]
  cells?: Readonly<Record<string, number>>
  /** The types of property that never have it. */
  notOn?: readonly string[]
}

export const listingFields: Readonly<Record<string, ListingField>> = {
  "external_id": {
    "kind": "external_id",
    "aliases": "externalid codigo cod id_externo referencia ref reference code clave sku id_propiedad codigo_propiedad id"
  },
  "title": {
    "kind": "text",
    "aliases": "titulo name nombre headline"
  },
  "description": {
    "kind": "text",
    "aliases": "descripcion texto detalle observaciones details"
  },
  "operation": {
    "kind": "operation",
    "aliases": "operacion tipo_operacion tipo_de_operacion operation_type",
    "values": [
      "sale",
      "rent",
      "temporary"
    ]
  },
  "type": {
    "kind": "type",
    "aliases": "tipo tipo_propiedad tipo_de_propiedad inmueble tipo_inmueble tipo_de_inmueble property_type",
    "values": [
      "Casa",
      "Departamento",
      "PH",
      "Lote",
      "Local",
      "Oficina",
      "Cochera",
      "Galpón",
      "Finca",
      "Quinta",
      "Emprendimiento",
      "Fondo de Comercio",
      "Consultorio",
      "Edificio",
      "Hotel"
    ]
  },
  "price.amount": {
    "kind": "money",
    "aliases": "precio price importe monto amount precio_usd precio_u$s precio_en_dolares precio_ars precio_en_pesos valor"
  },
  "price.currency": {
    "kind": "currency",
    "aliases": "moneda currency precio_moneda moneda_precio divisa",
    "values": [
      "USD",
      "ARS"
    ]
  },
  "price.period": {
    "kind": "period",
    "aliases": "periodo period periodo_precio",
    "values": [
      "month",
      "week",
      "night"
    ]
  },
  "price.on_request": {
    "kind": "boolean",
    "aliases": "consultar precio_a_consultar a_consultar on_request ocultar_precio"
  },
  "expenses.amount": {
    "kind": "money",
    "aliases": "expensas expenses gastos gastos_comunes"
  },
  "expenses.currency": {
    "kind": "currency",
    "aliases": "moneda_expensas expensas_moneda",
    "values": [
      "USD",
      "ARS"
    ]
  },
  "address": {
    "kind": "text",
    "aliases": "direccion domicilio calle_y_numero ubicacion street_address calle street nombre_de_calle"
  },
  "location.city": {
    "kind": "text",
    "aliases": "ciudad city localidad town"
  },
  "location.province": {
    "kind": "text",
    "aliases": "provincia province state"
  },
  "location.lat": {
    "kind": "coordinate",
    "aliases": "latitud lat latitude"
  },
  "location.lng": {
    "kind": "coordinate",
    "aliases": "longitud lng lon long longitude"
  },
  "features.bedrooms": {
    "kind": "integer",
    "aliases": "dormitorios dormitorio dorm dorms bedrooms habitaciones cuartos",
    "cells": {
      "monoambiente": 0,
      "mono": 0
    },
    "notOn": [
      "Lote"
    ]
  },
  "features.bathrooms": {
    "kind": "integer",
    "aliases": "banos bano bathrooms",
    "notOn": [
      "Lote"
    ]
  },
  "features.rooms": {
    "kind": "integer",
    "aliases": "ambientes amb ambs rooms cantidad_de_ambientes",
    "cells": {
      "monoambiente": 1,
      "mono": 1
    },
    "notOn": [
      "Lote"
    ]
  },
  "features.total_m2": {
    "kind": "number",
    "aliases": "m2_totales superficie_total superficie sup_total total_m2 m2 terreno_m2 m2_total sup"
  },
  "features.covered_m2": {
    "kind": "number",
    "aliases": "m2_cubiertos superficie_cubierta sup_cubierta covered_m2 cubiertos m2_cub sup_cub",
    "notOn": [
      "Lote"
    ]
  },
  "features.garages": {
    "kind": "integer",
    "aliases": "cocheras cochera garages garage garajes coch",
    "cells": {
      "si": 1,
      "no": 0,
      "yes": 1
    },
    "notOn": [
      "Lote"
    ]
  },
  "features.age_years": {
    "kind": "integer",
    "aliases": "antiguedad age age_years anos",
    "cells": {
      "a_estrenar": 0,
      "estrenar": 0,
      "nuevo": 0,
      "nueva": 0,
      "new": 0,
      "en_construccion": 0,
      "en_pozo": 0
    },
    "notOn": [
      "Lote"
    ]
  },
  "features.disposition": {
    "kind": "disposition",
    "aliases": "disposicion disposition",
    "values": [
      "Frente",
      "Contrafrente",
      "Interno",
      "Lateral"
    ],
    "notOn": [
      "Lote"
    ]
  },
  "features.orientation": {
    "kind": "orientation",
    "aliases": "orientacion orientation",
    "values": [
      "N",
      "S",
      "E",
      "O",
      "NE",
      "NO",
      "SE",
      "SO"
    ]
  },
  "features.pet_friendly": {
    "kind": "boolean",
    "aliases": "mascotas acepta_mascotas apto_mascotas pets pet_friendly",
    "notOn": [
      "Lote"
    ]
  },
  "features.furnished": {
    "kind": "boolean",
    "aliases": "amoblado amueblado furnished",
    "notOn": [
      "Lote"
    ]
  },
  "features.credit_eligible": {
    "kind": "boolean",
    "aliases": "apto_credito credito credit_eligible"
  },
  "amenities": {
    "kind": "list",
    "aliases": "comodidades servicios caracteristicas extras"
  },
  "video_url": {
    "kind": "text",
    "aliases": "video"
  },
  "video_urls": {
    "kind": "urls",
    "aliases": "videos"
  },
  "virtual_tour_url": {
    "kind": "text",
    "aliases": "tour tour_virtual recorrido_virtual virtual_tour recorrido"
  },
  "rental.min_stay": {
    "kind": "integer",
    "aliases": "estadia_minima min_stay noches_minimas"
  },
  "rental.min_lease_months": {
    "kind": "integer",
    "aliases": "meses_minimos contrato_minimo min_lease_months plazo_minimo"
  },
  "rental.services_included": {
    "kind": "list",
    "aliases": "servicios_incluidos services_included incluye"
  }
}
