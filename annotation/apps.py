from django.apps import AppConfig
from django.urls import register_converter

from annotation.converters import IdConverter


class AnnotationConfig(AppConfig):
    name = "annotation"

    def ready(self) -> None:
        register_converter(IdConverter, "id")
